"""Learned policies: a network's weights beside a description of what it was trained on.

A run's folder holds ``policy.npz`` (the weights, no pickle) and ``policy.json`` (the game, its
rules, the layout's digest, versions). Playing needs no PyTorch.
"""

import hashlib
import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agents.network import Network, network_rows
from agents.policies import Policy, names
from cardenv import games
from cardenv.files import replacing
from cardenv.games import Game
from cardenv.players import PlayerError
from cardenv.table import Tables

WEIGHTS, DESCRIPTION = "policy.npz", "policy.json"
FORMAT = 1
_WITHOUT_HISTORY = {"history": 0}
"""What a description means that does not say how many events its network has seen."""
_MUST_AGREE = {
    "game": str,
    "version": int,
    "seats": int,
    "rules": dict,
    "episode": str,
    "history": int,
    "layout": str,
}
"""What a description says that has to be the same at the tables, and as what it is kept."""


class Learned:
    """A trained network as a batched player.

    Args:
        name: what tables and reports call it.
        network: its weights.
        description: what it was trained on (see ``describe_training``).
        sample: draw actions with the policy's probabilities instead of taking the likeliest. What
            an advised network puts out are gains and no logits, so it takes the best in any case.
    """

    def __init__(
        self, name: str, network: Network, description: dict[str, Any], sample: bool = False
    ) -> None:
        self.name = name
        self.network = network
        self.description = description
        self._sizes, self._parameters = network.flat()
        self._factors = np.float32(1) / np.array(description["scales"], np.float32)
        self._adviser = _adviser(description)
        self.sample = sample and self._adviser is None

    @classmethod
    def load(cls, folder: Path, sample: bool = False) -> "Learned":
        """Read a run's folder.

        Raises:
            PlayerError: a file is missing or damaged, or was written by another version.
        """
        try:
            description = json.loads((folder / DESCRIPTION).read_text())
            with np.load(folder / WEIGHTS, allow_pickle=False) as arrays:
                layers = range(len(arrays.files) // 2)
                weights = tuple(_float32(arrays[f"weight_{layer}"]) for layer in layers)
                biases = tuple(_float32(arrays[f"bias_{layer}"]) for layer in layers)
            network = Network(weights, biases)
            problem = _problem(network, description)
        except FileNotFoundError as error:
            raise PlayerError(
                f"{folder} holds no trained agent ({Path(str(error.filename)).name} is missing); "
                "give the folder of a training run that has saved a checkpoint."
            ) from None
        except Exception as error:
            problem = str(error) or type(error).__name__
        if problem:
            raise PlayerError(
                f"the trained agent in {folder} cannot be read ({problem}); train it again, "
                "or restore its files."
            )
        return cls(str(folder), network, description, sample)

    def with_network(self, network: Network) -> "Learned":
        """Return a player that differs from this one by its network alone."""
        return Learned(self.name, network, self.description, self.sample)

    @property
    def own_fingerprint(self) -> str:
        """Tells apart two agents if their weights differ, or what they were trained on."""
        contents = json.dumps(self.description, sort_keys=True).encode()
        for array in self.network.flat():
            contents += array.tobytes()
        return f"weights {hashlib.sha256(contents).hexdigest()[:16]}"

    @property
    def fingerprint(self) -> str:
        """Tells apart two agents of one name if anything differs that they play by.

        That is their own fingerprint, and the code of the policy that advises them, if one does.
        """
        adviser = [] if self._adviser is None else [self._adviser.fingerprint]
        return ", ".join([self.own_fingerprint, *adviser])

    def save(self, folder: Path, precision: type[np.floating[Any]] = np.float32) -> None:
        """Write the two files; ``load`` reads them.

        Args:
            folder: made if it is missing.
            precision: of the weights in the file: ``np.float32``, or ``np.float16`` for half the
                size.
        """
        layers = zip(self.network.weights, self.network.biases, strict=True)
        arrays = {}
        for place, (weight, bias) in enumerate(layers):
            arrays[f"weight_{place}"] = weight.astype(precision)
            arrays[f"bias_{place}"] = bias.astype(precision)
        text = json.dumps(self.description, indent=2, ensure_ascii=False) + "\n"
        with replacing(folder / WEIGHTS) as unfinished:
            np.savez(unfinished, **arrays)  # type: ignore[arg-type]
        with replacing(folder / DESCRIPTION) as unfinished:
            unfinished.write_text(text, encoding="utf-8")

    def act(
        self,
        observations: NDArray[np.uint8],
        masks: NDArray[np.int8],
        keys: NDArray[np.uint64],
    ) -> NDArray[np.int64]:
        """Choose by the network (see ``cardenv.players.Player.act`` for shapes)."""
        actions = np.empty(len(keys), np.int64)
        self._run(observations, masks, keys, np.empty((0, 0), np.float32), actions)
        return actions

    def probabilities(
        self, observations: NDArray[np.uint8], masks: NDArray[np.int8]
    ) -> NDArray[np.float32]:
        """Return the policy: float32 ``[n, actions]``, exactly 0 where the mask is."""
        probabilities = np.empty(masks.shape, np.float32)
        keys, actions = np.zeros(len(masks), np.uint64), np.empty(len(masks), np.int64)
        self._run(observations, masks, keys, probabilities, actions)
        if self._adviser is not None:
            probabilities[:] = 0
            probabilities[np.arange(len(masks)), actions] = 1
        return probabilities

    def check(self, tables: Tables) -> None:
        """Raise ``PlayerError`` at tables other than those it was trained for; say what differs.

        Tables may keep more events than it was trained with: it sees the newest.
        """
        mine = _WITHOUT_HISTORY | self.description
        theirs = describe_training(tables, min(mine["history"], tables.history))
        for what in _MUST_AGREE:
            if mine[what] != theirs[what]:
                raise PlayerError(
                    f"agent {self.name!r} was trained with {_difference(what, mine, theirs)}; "
                    "choose the same, or train one for this."
                )

    def _run(
        self,
        observations: NDArray[np.uint8],
        masks: NDArray[np.int8],
        keys: NDArray[np.uint64],
        probabilities: NDArray[np.float32],
        actions: NDArray[np.int64],
    ) -> None:
        network_rows(
            self._inputs(observations, masks, keys),
            np.ascontiguousarray(masks),
            np.ascontiguousarray(keys),
            self._factors,
            self._sizes,
            self._parameters,
            self.sample,
            probabilities,
            actions,
        )

    def _inputs(
        self,
        observations: NDArray[np.uint8],
        masks: NDArray[np.int8],
        keys: NDArray[np.uint64],
    ) -> NDArray[np.uint8]:
        """Return what the network sees: the observation and, if it has an adviser, its action."""
        size = self._factors.size
        if self._adviser is None:
            return np.ascontiguousarray(observations[:, :size])
        advice = self._adviser.act(observations, masks, keys)
        inputs = np.zeros((len(keys), size), np.uint8)
        inputs[:, : size - masks.shape[1]] = observations[:, : size - masks.shape[1]]
        inputs[np.arange(len(keys)), size - masks.shape[1] + advice] = 1
        return inputs


def advised(description: dict[str, Any], policy: str, game: Game) -> dict[str, Any]:
    """Return the description of a network that sees what a policy would do, behind all else."""
    scales = [*description["scales"], *([1] * len(game.action_names))]
    return {**description, "advice": policy, "scales": scales}


def _adviser(description: dict[str, Any]) -> Policy | None:
    """Return the policy whose actions a network sees, if it does."""
    advice = description.get("advice")
    return None if advice is None else Policy(games.get(description["game"]), advice)


def _float32(array: NDArray[Any]) -> NDArray[Any]:
    """Return what was kept in half the bytes as it is played with; leave other types alone."""
    return array.astype(np.float32) if array.dtype == np.float16 else array


def describe_training(tables: Tables, history: int | None = None) -> dict[str, Any]:
    """Return what a policy for such tables depends on, as JSON can hold it.

    Args:
        tables: the tables.
        history: of how many events it makes use; of all that the tables keep by default.
    """
    history = tables.history if history is None else history
    layout = tables.game.layout.sized(tables.seats, tables.rules, history)
    return {
        "format": FORMAT,
        "game": tables.game.name,
        "version": tables.game.version,
        "episode": tables.episode,
        "rules": tables.rules.to_dict(),
        "seats": tables.seats,
        "history": history,
        "layout": layout.digest(),
        "scales": layout.high.tolist(),
    }


def _problem(network: Network, description: dict[str, Any]) -> str:
    """Return what keeps a network and its description from being played; empty if nothing does."""
    if description.get("format") != FORMAT:
        return f"its format is {description.get('format')!r}, this version reads {FORMAT}"
    stated = _WITHOUT_HISTORY | description
    missing = [what for what in (*_MUST_AGREE, "scales") if what not in stated]
    if missing:
        return f"{DESCRIPTION} lacks {', '.join(missing)}"
    wrong = [what for what, kind in _MUST_AGREE.items() if not isinstance(stated[what], kind)]
    if wrong:
        return f"{DESCRIPTION} has no sense in {', '.join(wrong)}"
    scales = np.array(description["scales"], np.float32)
    sizes = [len(scales), *(len(bias) for bias in network.biases)]
    shapes = [(*size,) for size in pairwise(sizes)]
    if [weight.shape for weight in network.weights] != shapes or len(sizes) < 2:
        return f"its layers are {[weight.shape for weight in network.weights]}, not {shapes}"
    if sizes[-1] != len(games.get(description["game"]).action_names):
        return f"it chooses among {sizes[-1]} actions, which is not the game's number"
    advice = description.get("advice")
    if advice is not None and advice not in names(games.get(description["game"])):
        return f"it is advised by {advice!r}, which is no heuristic of the game"
    arrays = (*network.weights, *network.biases, scales)
    if not all(array.dtype == np.float32 and np.isfinite(array).all() for array in arrays):
        return "it holds values that are no finite float32"
    return "" if (scales > 0).all() else "a scale is not more than 0"


def _difference(what: str, trained: dict[str, Any], here: dict[str, Any]) -> str:
    """Say in what two descriptions differ; of the rules, only the switches that do."""
    if what == "seats":
        return (
            f"observations for {trained[what]} seats, here they are for {here[what]} (as many as "
            "players, or as max_players says)"
        )
    if what != "rules":
        return f"{what}={trained[what]!r}, here it is {here[what]!r}"
    differing = [name for name in here[what] if trained[what].get(name) != here[what][name]]
    then = ", ".join(f"{name}={trained[what].get(name)!r}" for name in differing)
    now = ", ".join(f"{name}={here[what][name]!r}" for name in differing)
    return f"rules {then}, here they are {now}"
