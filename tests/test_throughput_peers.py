"""Promises of ``experiments.throughput --peers``: other libraries' games, measured beside ours."""

import functools
import json
import sys
from importlib.util import find_spec

import numpy as np
import pytest

from cardenv.envs.aec import TableEnv
from experiments import peers, throughput
from tests.cases import GAMES

QUICK = {"game": GAMES[-1], "batches": (8,), "cores": (1,)}
QUICK |= {"seconds": 0.02, "repeats": 2, "learner_tables": 8}
HERE = [peer for peer in peers.PEERS if find_spec(peer.module) is not None]
NAMES = [peer.name for peer in HERE]


def test_some_peer_is_installed_to_be_tested_with():
    assert {"open_spiel"} <= {peer.package for peer in HERE}


def test_peers_stand_beside_ours_in_table_and_json(tmp_path, capsys):
    out = tmp_path / "result.json"
    throughput.main(throughput.Settings(peers=True, out=out, **QUICK))
    report = json.loads(out.read_text())
    rates = report["decisions_per_second"]
    assert list(rates)[-len(NAMES) - 1 :] == [throughput.PEERS_JOB, *NAMES]
    assert all(rates[name] > 0 for name in NAMES)
    assert list(report["times_as_fast_as"]) == NAMES
    assert set(report["peers"]) == {peer.package for peer in HERE}
    printed = capsys.readouterr().out
    for name, times in report["times_as_fast_as"].items():
        assert f"ours / {name}" in printed
        assert f"{times:.1f} times" in printed


def test_without_being_asked_nothing_is_measured_of_peers(monkeypatch):
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    report = throughput.throughput(throughput.Settings(**QUICK))
    assert report["times_as_fast_as"] == report["peers"] == {}
    assert throughput.PEERS_JOB not in report["decisions_per_second"]


def test_times_as_fast_in_the_report_follows_from_its_rates():
    settings = throughput.Settings(peers=True, **QUICK | {"repeats": 1})
    report = throughput.throughput(settings)
    rates = report["decisions_per_second"]
    ours = {peer.name: throughput.PEERS_JOB if peer.is_batched else throughput.AEC for peer in HERE}
    assert report["times_as_fast_as"] == pytest.approx(
        {name: rates[beside] / rates[name] for name, beside in ours.items()}
    )


def test_peers_that_are_not_installed_get_a_line_each_and_no_figure(monkeypatch, capsys):
    for peer in peers.PEERS:
        monkeypatch.setitem(sys.modules, peer.module, None)
    throughput.main(throughput.Settings(peers=True, **QUICK))
    printed = " ".join(capsys.readouterr().out.split())
    for peer in peers.PEERS:
        said = f"{peer.name} is not installed; to measure it: pip install {peer.requirement}"
        assert printed.count(said) == 1
        assert f"ours / {peer.name}" not in printed


@pytest.mark.parametrize("players", [2, 4, 6])
@pytest.mark.parametrize("peer", HERE, ids=NAMES)
def test_a_peer_plays_with_so_many_players(peer, players):
    decisions, seconds = peer.measure(players, 1)(0.01)
    assert decisions > 0
    assert seconds >= 0.01


@pytest.mark.parametrize("look_at", [peers.as_lists, peers.in_buffers])
def test_looking_at_a_state_returns_its_legal_actions(look_at):
    import pyspiel

    game = pyspiel.load_game("crazy_eights(players=4)")
    state = game.new_initial_state()
    while state.is_chance_node():
        state.apply_action(state.legal_actions()[0])
    assert look_at(game)(state, state.current_player()) == state.legal_actions()


def test_an_aec_environment_of_ours_is_played_as_a_peers_is():
    env = TableEnv(GAMES[0], 3, episode="round")
    decisions, _ = peers.play_aec(env, 1, episodes=1)(0.0)
    assert decisions == 0
    counted = []
    env.step = functools.partial(
        lambda step, action: counted.append(action) or step(action), env.step
    )
    decisions, _ = peers.play_aec(env, 1, episodes=2)(1e-6)
    assert decisions == sum(action is not None for action in counted) > 0
    assert all(isinstance(action, np.integer) for action in counted if action is not None)
