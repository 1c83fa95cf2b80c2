"""What all tests share: markers, and one compilation before the workers start."""

import gc
import os

import pytest

from cardenv import games
from cardenv.compiling import JIT


def pytest_configure(config):
    config.addinivalue_line(
        "markers", "bulk: thousands of tables; too slow for a game that runs as plain Python"
    )


def pytest_sessionstart(session):
    """Fill the cache of compiled code once, so that parallel workers need not each do it."""
    workers = getattr(session.config.option, "numprocesses", None)
    is_worker = hasattr(session.config, "workerinput")
    if JIT and workers and not is_worker and not session.config.option.collectonly:
        from tests.trace import digests, small_settings

        for game in games.names():
            digests(game, small_settings(game)[:1])


def pytest_collection_finish():
    """Leave out of every later garbage collection the half million objects that tests are.

    Walking them again and again took a third of the time of tests that make many objects.
    """
    gc.collect()
    gc.freeze()


@pytest.fixture
def poisoned_generators():
    """NumPy's and Python's global generators in a state of no meaning, restored afterwards."""
    import random

    import numpy as np

    before = (random.getstate(), np.random.get_state())
    random.seed(os.getpid())
    np.random.seed(os.getpid() % 1000)
    yield
    random.setstate(before[0])
    np.random.set_state(before[1])


@pytest.fixture
def one_thread():
    """PyTorch on one thread, so that equal seeds give equal weights."""
    import torch

    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)
