"""The direction of imports, and that a game is one file which nothing else names."""

import ast
import importlib
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from cardenv import games
from cardenv.layout import Field, Layout

ROOT = Path(__file__).parent.parent
PACKAGES = ("cardenv", "agents", "experiments")

LEVELS = (
    (
        *("cardenv.cards", "cardenv.compiling", "cardenv.figures", "cardenv.layout"),
        *("cardenv.rules", "cardenv.scene", "cardenv.seats"),
    ),
    ("cardenv.games",),
    (
        *("cardenv.history", "cardenv.kernels", "cardenv.table"),
        *("cardenv.players", "cardenv.draw"),
    ),
    ("cardenv.envs", "cardenv"),
    ("agents",),
    ("experiments",),
)
"""Each level may import itself and those before it. A prefix covers what lies in its folder."""

THE_EXCEPTION = ("cardenv.players", "agents")
"""A player's name is looked up in the layer above, lazily and nowhere else."""

GAMES_MAY_IMPORT = set(LEVELS[0])
OUTSIDE = {
    "numba": {"cardenv.compiling"},
    "llvmlite": {"cardenv.compiling"},
    "gymnasium": {"cardenv.envs", "experiments"},
    "pettingzoo": {"cardenv.envs", "experiments"},
    "stable_baselines3": {"cardenv.envs.sb3", "agents", "experiments"},
    "sb3_contrib": {"agents", "experiments"},
    "torch": {"agents", "experiments"},
    "matplotlib": {"experiments"},
    "PIL": {"cardenv.draw.raster", "cardenv.terminal.export"},
    "pygame": {"cardenv.draw.window"},
    "tyro": {"cardenv.commandline", "cardenv.terminal", "experiments"},
    "rich": {"cardenv.terminal", "experiments"},
    "textual": {"cardenv.terminal"},
    "scipy": {"experiments"},
    "evalica": {"experiments.ratings"},
    "pyspiel": {"experiments.peers"},
    "rlcard": {"experiments.peers"},
    "pgx": {"experiments.peers"},
    "jax": {"experiments.peers"},
    "open_spiel": {"experiments.peers", "experiments.ratings"},
}
"""Which modules may import what is not our own; numpy and the standard library are everybody's."""


def sources() -> dict[str, Path]:
    """Return every module's file by the module's name."""
    found = {}
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            parts = path.relative_to(ROOT).with_suffix("").parts
            found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


SOURCES = sources()


def imports_of(module: str) -> Iterator[tuple[str, bool]]:
    """Yield each imported module's name, and whether it is imported inside a function."""
    tree = ast.parse(SOURCES[module].read_text())
    inside = {
        id(node)
        for function in ast.walk(tree)
        if isinstance(function, ast.FunctionDef)
        for node in ast.walk(function)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((alias.name, id(node) in inside) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, f"{module} imports relatively; write the whole name"
            for alias in node.names:
                name = f"{node.module}.{alias.name}"
                yield (name if name in SOURCES else str(node.module)), id(node) in inside


def belongs(module: str, prefix: str) -> bool:
    return module == prefix or module.startswith(prefix + ".")


def level(module: str) -> int:
    """Return a module's level by the longest prefix that covers it."""
    candidates = [
        (len(prefix), number)
        for number, prefixes in enumerate(LEVELS)
        for prefix in prefixes
        if belongs(module, prefix)
    ]
    return max(candidates)[1]


# --- Imports ------------------------------------------------------------------------------------


@pytest.mark.parametrize("module", SOURCES)
def test_imports_run_one_way(module: str) -> None:
    for name, _ in imports_of(module):
        if name in SOURCES and (module, name) != THE_EXCEPTION:
            assert level(name) <= level(module), f"{module} may not import {name}"


def test_the_one_exception_is_inside_a_function() -> None:
    module, above = THE_EXCEPTION
    assert [lazily for name, lazily in imports_of(module) if belongs(name, above)] == [True]


@pytest.mark.parametrize("module", [name for name in SOURCES if belongs(name, "cardenv.games")])
def test_games_stand_on_the_basis_alone(module: str) -> None:
    own = {name for name, _ in imports_of(module) if name in SOURCES}
    assert own <= GAMES_MAY_IMPORT


@pytest.mark.parametrize("module", SOURCES)
def test_only_the_outer_layers_import_other_libraries(module: str) -> None:
    for name, _ in imports_of(module):
        library = name.split(".")[0]
        if library in OUTSIDE:
            allowed = OUTSIDE[library]
            assert any(belongs(module, prefix) for prefix in allowed), f"{module}: {name}"
        else:
            own = library in PACKAGES or library == "numpy"
            assert own or library in sys.stdlib_module_names, f"{module} imports {name}"


WITHOUT = ("torch", "stable_baselines3", "sb3_contrib", "matplotlib", "pettingzoo", "tensorboard")


def in_a_fresh_process(script: str) -> str:
    run = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, timeout=120, cwd=ROOT
    )
    assert run.returncode == 0, run.stderr
    return run.stdout


def test_importing_cardenv_loads_nothing_heavy() -> None:
    script = f"import cardenv, sys; print([name for name in {WITHOUT} if name in sys.modules])"
    assert in_a_fresh_process(script) == "[]\n"


def test_environments_need_no_torch() -> None:
    script = (
        f"import sys; sys.modules.update(dict.fromkeys({WITHOUT[:4]}))\n"
        "import gymnasium, cardenv\n"
        "from cardenv import games\n"
        "from cardenv.envs import aec\n"
        "for name in games.names():\n"
        "    env = aec.env(name); env.reset(seed=1); env.last()\n"
        "for name in [each for each in gymnasium.registry if each.startswith('cardenv/')]:\n"
        "    gymnasium.make(name).reset(seed=1)\n"
        "print('played')\n"
    )
    assert in_a_fresh_process(script) == "played\n"


# --- A game is one file -------------------------------------------------------------------------


def game_words() -> set[str]:
    return {word for name in games.names() for word in (name, *games.get(name).aliases)}


def words_in_code(path: Path) -> Iterator[str]:
    """Yield every identifier and string of a file, docstrings apart."""
    tree = ast.parse(path.read_text())
    documentation = {
        id(node.value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and id(node) not in documentation:
            if isinstance(node.value, str):
                yield node.value
        elif isinstance(node, ast.Name):
            yield node.id
        elif isinstance(node, ast.Attribute):
            yield node.attr
        elif isinstance(node, ast.alias | ast.FunctionDef | ast.ClassDef):
            yield node.name


def games_own_modules() -> set[str]:
    """Return the modules that belong to one game: rules, heuristics, PettingZoo's way in."""
    found = set()
    for name in games.names():
        found |= {f"cardenv.games.{name}", f"cardenv.{name}_v{games.get(name).version}"}
        heuristics = f"agents.heuristics.{name}"
        found |= {
            each for each in SOURCES if each == heuristics or each.startswith(heuristics + "_")
        }
    return found


@pytest.mark.parametrize("module", sorted(set(SOURCES) - games_own_modules() - {"cardenv.games"}))
def test_no_code_outside_a_games_own_files_names_a_game(module: str) -> None:
    for text in words_in_code(SOURCES[module]):
        for word in game_words():
            named = text == word if word.isdigit() else word in text.lower()
            assert not named, f"{module} names the game {word!r} in {text!r}"


@pytest.mark.parametrize("name", games.names())
def test_every_game_has_its_pettingzoo_module(name: str) -> None:
    game = games.get(name)
    module = importlib.import_module(f"cardenv.{name}_v{game.version}")
    for make in (module.env, module.raw_env):
        env = make()
        assert env.metadata["name"] == module.__name__.removeprefix("cardenv.")
        assert env.unwrapped._tables.episode == game.default_episode


# --- Layouts ------------------------------------------------------------------------------------

LAYOUTS = {
    f"{name} {kind}": (name, layout)
    for name in games.names()
    for kind, layout in (
        ("observation", games.get(name).layout),
        ("state", games.get(name).state_layout),
    )
}


@pytest.mark.parametrize("which", LAYOUTS)
def test_every_field_says_what_it_means(which: str) -> None:
    _, layout = LAYOUTS[which]
    fields = (*layout.shared, *layout.seat)
    assert len({field.name for field in fields}) == len(fields)
    for field in fields:
        assert field.name.isidentifier()
        assert field.length >= 1
        assert len(field.meaning.split()) >= 2, f"{field.name}: {field.meaning!r} says too little"


@pytest.mark.parametrize("which", LAYOUTS)
def test_offsets_follow_from_lengths_and_are_the_same_for_every_table(which: str) -> None:
    name, layout = LAYOUTS[which]
    rules = games.get(name).rules
    offset = 0
    for field in (*layout.shared, *layout.seat):
        assert layout.offset(field.name) == offset
        offset += field.length
    assert offset == layout.shared_size + layout.seat_size
    for seats in range(rules.MIN_PLAYERS, rules.MAX_PLAYERS + 1):
        sized = layout.sized(seats, rules())
        assert sized.size == layout.shared_size + seats * layout.seat_size == len(sized.high)
        assert sized.high.min() >= 1
        places = sized.view(sized.high * 0 + 1)
        assert sum(view.size for view in places.values()) == sized.size
        assert len(sized.table()) == len(layout.names)


def test_a_digest_tells_layouts_apart() -> None:
    fields = (Field("hand", 8, "own cards"), Field("talon", 1, "cards left", 32))
    digests = {
        Layout(fields, ()).sized(1, None).digest(),
        Layout(fields, ()).sized(2, None).digest(),
        Layout(fields[::-1], ()).sized(1, None).digest(),
        Layout((fields[0], Field("talon", 1, "cards left", 31)), ()).sized(1, None).digest(),
    }
    assert len(digests) == 4
