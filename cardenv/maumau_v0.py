"""Mau-Mau in PettingZoo's habit: ``maumau_v0.env(num_players=4)``."""

from typing import Unpack

from cardenv.envs import aec


def env(**settings: Unpack[aec.Settings]) -> aec.OrderedEnv:
    """Return the environment with PettingZoo's guard; settings as ``aec.TableEnv`` has them."""
    return aec.env("maumau", **settings)


def raw_env(**settings: Unpack[aec.Settings]) -> aec.TableEnv:
    """Return the environment without the guard; settings as ``aec.TableEnv`` has them."""
    return aec.TableEnv("maumau", **settings)
