"""A policy network that runs without PyTorch: compiled, one row at a time.

Since no row meets another, a choice does not depend on the batch it is made in.
"""

from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardenv.cards import derive
from cardenv.compiling import cached, compiled

_UNIT = 2.0**-64


@dataclass(frozen=True)
class Network:
    """A policy of fully connected layers with ReLU between them.

    Attributes:
        weights: float32 ``[inputs, outputs]`` a layer.
        biases: float32 ``[outputs]`` a layer.
    """

    weights: tuple[NDArray[np.float32], ...]
    biases: tuple[NDArray[np.float32], ...]

    @classmethod
    def from_flat(cls, sizes: NDArray[np.int64], parameters: NDArray[np.float32]) -> "Network":
        """Return the network of which ``flat`` gave these sizes and parameters."""
        weights, biases, start = [], [], 0
        for inputs, outputs in pairwise(sizes.tolist()):
            bias = start + inputs * outputs
            weights.append(parameters[start:bias].reshape(inputs, outputs).copy())
            biases.append(parameters[bias : bias + outputs].copy())
            start = bias + outputs
        return cls(tuple(weights), tuple(biases))

    def with_bonus(self, outputs: int, bonus: float) -> "Network":
        """Return a network that adds a bonus to the output of which the last inputs are 1.

        Every hidden layer gets a unit more for each output, which hands its input on.

        Args:
            outputs: how many outputs there are, and so how many last inputs, of 0 or 1.
            bonus: what is added.
        """
        handed_on = np.eye(outputs)
        weights, biases = [], []
        for place, (weight, bias) in enumerate(zip(self.weights, self.biases, strict=True)):
            first, last = place == 0, place == len(self.weights) - 1
            more_rows = np.zeros((0 if first else outputs, weight.shape[1]))
            wider: NDArray[np.float64] = np.vstack((weight, more_rows))
            if last:
                wider[-outputs:] += bonus * handed_on
            else:
                extra = np.zeros((len(wider), outputs))
                extra[-outputs:] = handed_on
                wider = np.hstack((wider, extra))
                bias = np.concatenate((bias, np.zeros(outputs)))
            weights.append(wider.astype(np.float32))
            biases.append(bias.astype(np.float32))
        return Network(tuple(weights), tuple(biases))

    def flat(self) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
        """Return the layers' sizes and all parameters in one array, layer by layer."""
        sizes = [len(self.weights[0]), *(len(bias) for bias in self.biases)]
        parts = [
            part.ravel() for pair in zip(self.weights, self.biases, strict=True) for part in pair
        ]
        return np.array(sizes), np.concatenate(parts).astype(np.float32)


@compiled
def _layer(inputs: Any, outputs: Any, parameters: Any, start: int) -> int:
    """Write one layer's outputs; return where the next layer's parameters begin."""
    size = outputs.size
    bias = start + inputs.size * size
    outputs[:] = parameters[bias : bias + size]
    for i in range(inputs.size):
        if inputs[i] != 0:  # most bytes of an observation are
            row = parameters[start + i * size : start + (i + 1) * size]
            for j in range(size):
                outputs[j] += inputs[i] * row[j]
    return bias + size


@compiled
def _logits(observation: Any, factors: Any, sizes: Any, parameters: Any) -> Any:
    """Return the network's outputs for one observation."""
    inputs = np.minimum(observation * factors, np.float32(1))
    start = 0
    for layer in range(1, sizes.size):
        outputs = np.empty(sizes[layer], np.float32)
        start = _layer(inputs, outputs, parameters, start)
        if layer < sizes.size - 1:
            outputs = np.maximum(outputs, np.float32(0))
        inputs = outputs
    return inputs


@compiled
def _likeliest(logits: Any, mask: Any) -> int:
    best = -1
    for action in range(mask.size):
        if mask[action] and (best < 0 or logits[action] > logits[best]):
            best = action
    return best


@compiled
def _softmax(logits: Any, mask: Any) -> None:
    """Turn logits into probabilities in place; actions that the mask forbids get exactly 0."""
    highest = logits[_likeliest(logits, mask)]
    total = np.float32(0)
    for action in range(mask.size):
        weight = np.exp(logits[action] - highest) if mask[action] else np.float32(0)
        logits[action] = weight
        total += weight
    for action in range(mask.size):
        logits[action] /= total


@compiled
def _drawn(probabilities: Any, mask: Any, key: Any) -> int:
    rest = np.float64(derive(key, 0, 0)) * _UNIT
    last = -1
    for action in range(mask.size):
        if mask[action]:
            last = action
            rest -= probabilities[action]
            if rest < 0:
                break
    return last


def network_rows(
    observations: Any,
    masks: Any,
    keys: Any,
    factors: Any,
    sizes: Any,
    parameters: Any,
    sample: bool,
    probabilities: Any,
    actions: Any,
) -> None:
    """Write each row's choice, and its probabilities where there is room for them."""
    for i in range(actions.size):
        logits = _logits(observations[i], factors, sizes, parameters)
        actions[i] = _likeliest(logits, masks[i])
        if sample or probabilities.size > 0:
            _softmax(logits, masks[i])
            if sample:
                actions[i] = _drawn(logits, masks[i], keys[i])
            if probabilities.size > 0:
                probabilities[i] = logits


network_rows = cached(network_rows, [Path(__file__)])
