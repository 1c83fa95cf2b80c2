"""Networks in PyTorch that become players: standardised inputs, ReLU, a masked policy."""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import torch
from torch import nn
from torch.nn import functional

from agents.network import Network
from experiments.command import TableSettings
from experiments.selfplay_tables import relative_states

FORBIDDEN = -1e9
"""The logit of an action that the mask forbids."""
LEAST_LOG = -60.0
"""Where logarithms of probabilities are cut before ``exp``, which is slow where it underflows."""
SMALLEST_DEVIATION = 0.1
"""Inputs that vary less in random play are scaled as if they varied so much."""
STATISTICS_TABLES, STATISTICS_STEPS = 512, 40


@dataclass(frozen=True)
class Moments:
    """Mean and deviation of each input: float32 ``[size]``."""

    mean: torch.Tensor
    deviation: torch.Tensor

    @classmethod
    def of(cls, inputs: torch.Tensor) -> "Moments":
        """Return those of float32 ``[n, size]``, the deviation not below a floor."""
        return cls(inputs.mean(0), inputs.std(0).clamp_min(SMALLEST_DEVIATION))

    def with_categories(self, size: int) -> "Moments":
        """Return these and behind them those of so many 0/1 inputs that are left as they are."""
        return Moments(
            torch.cat((self.mean, torch.zeros(size))), torch.cat((self.deviation, torch.ones(size)))
        )


class Layers(nn.Module):
    """Fully connected layers with ReLU between them, over inputs that are standardised first.

    Standardising is folded into the first layer at each call: that costs one pass over its weights
    instead of one over the batch.
    """

    mean: torch.Tensor
    deviation: torch.Tensor

    def __init__(self, moments: Moments, sizes: tuple[int, ...], gain: float) -> None:
        super().__init__()
        self.register_buffer("mean", moments.mean)
        self.register_buffer("deviation", moments.deviation)
        self.linear: list[nn.Linear] = []
        for place, (inputs, outputs) in enumerate(pairwise((len(moments.mean), *sizes))):
            layer = nn.Linear(inputs, outputs)
            nn.init.orthogonal_(layer.weight, gain if place == len(sizes) - 1 else 2**0.5)
            nn.init.zeros_(layer.bias)
            self.add_module(f"layer_{place}", layer)
            self.linear.append(layer)

    def first(self) -> tuple[torch.Tensor, torch.Tensor]:
        """Return the first layer's weight and bias for inputs that are not standardised."""
        weight = self.linear[0].weight / self.deviation
        return weight, self.linear[0].bias - weight @ self.mean

    def forward(self, inputs: torch.Tensor) -> torch.Tensor:
        """Return float32 ``[B, outputs]`` for ``[B, inputs]``, hidden layers in their type."""
        dtype = inputs.dtype
        hidden = functional.linear(inputs, *(each.to(dtype) for each in self.first())).relu_()
        for layer in self.linear[1:-1]:
            weight, bias = layer.weight.to(dtype), layer.bias.to(dtype)
            hidden = functional.linear(hidden, weight, bias).relu_()
        last = self.linear[-1]
        return functional.linear(hidden.float(), last.weight, last.bias)

    def network(self) -> Network:
        """Return the layers as a player's network."""
        pairs = [self.first(), *((layer.weight, layer.bias) for layer in self.linear[1:])]
        return Network(
            tuple(weight.detach().numpy().T.copy() for weight, _ in pairs),
            tuple(bias.detach().numpy().copy() for _, bias in pairs),
        )


def masked_log_probabilities(logits: torch.Tensor, masks: torch.Tensor) -> torch.Tensor:
    """Return the policy's logarithm, float32 ``[B, actions]``; forbidden actions get -1e9 or less.

    Args:
        logits: float32 ``[B, actions]``.
        masks: bool ``[B, actions]``.
    """
    return functional.log_softmax(logits.masked_fill(~masks, FORBIDDEN), dim=1)


def input_moments(settings: TableSettings) -> tuple[Moments, Moments]:
    """Return the moments in random play: of observations, and of these with the state."""
    tables = settings.tables(STATISTICS_TABLES)
    tables.reset(seed=settings.seed)
    own, whole = [], []
    for _ in range(STATISTICS_STEPS):
        tables.play_randomly(1)
        live = np.flatnonzero(tables.turn >= 0)
        states = relative_states(tables, np.maximum(tables.turn, 0).astype(np.int64))
        own.append(tables.layout.scaled(tables.observations[live]))
        whole.append(tables.state_layout.scaled(states[live]))
    inputs = torch.from_numpy(np.concatenate(own))
    both = torch.cat((inputs, torch.from_numpy(np.concatenate(whole))), dim=1)
    return Moments.of(inputs), Moments.of(both)
