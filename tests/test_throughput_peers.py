"""Promises of ``experiments.throughput --peers``: other libraries' games, measured beside ours."""

import json
import statistics
import sys

import pytest

from experiments import peers, throughput
from experiments.command import SettingsError
from tests.cases import GAMES

QUICK = {"game": GAMES[-1], "batches": (8,), "seconds": 0.02, "repeats": 2, "learner_tables": 8}
NAMES = [peer.name for peer in peers.PEERS]


def test_peers_stand_beside_ours_in_table_and_json(tmp_path, capsys):
    out = tmp_path / "result.json"
    throughput.main(throughput.Settings(peers=True, out=out, **QUICK))
    report = json.loads(out.read_text())
    rates = report["decisions_per_second"]
    assert list(rates)[-len(NAMES) - 1 :] == [throughput.PEERS_JOB, *NAMES]
    assert all(rates[name] > 0 for name in NAMES)
    assert list(report["times_as_fast_as"]) == NAMES
    assert set(report["peers"]) == {peer.package for peer in peers.PEERS}
    printed = capsys.readouterr().out
    for name, times in report["times_as_fast_as"].items():
        assert f"ours / {name}" in printed
        assert f"{times:.1f} times" in printed


def test_without_being_asked_nothing_is_measured_of_peers(monkeypatch):
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    report = throughput.throughput(throughput.Settings(**QUICK))
    assert report["times_as_fast_as"] == report["peers"] == {}
    assert throughput.PEERS_JOB not in report["decisions_per_second"]


def test_times_as_fast_is_the_median_of_what_runs_made_in_turn_say():
    rates = {"ours": [80.0, 100.0, 30.0], "slow": [8.0, 5.0, 2.0], "fast": [160.0, 100.0, 90.0]}
    found = throughput.times_as_fast(rates, "ours", ["slow", "fast"])
    assert found == {"slow": statistics.median([10, 20, 15]), "fast": 0.5}


def test_times_as_fast_in_the_report_follows_from_its_rates():
    settings = throughput.Settings(peers=True, **QUICK | {"repeats": 1})
    report = throughput.throughput(settings)
    rates = report["decisions_per_second"]
    for name, times in report["times_as_fast_as"].items():
        assert times == pytest.approx(rates[throughput.PEERS_JOB] / rates[name])


def test_a_peer_that_is_not_installed_gets_one_sentence(monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    with pytest.raises(SettingsError) as caught:
        throughput.throughput(throughput.Settings(peers=True, **QUICK))
    assert str(caught.value).endswith("pip install open_spiel.")
    monkeypatch.setattr(sys, "argv", ["throughput", "--peers"])
    with pytest.raises(SystemExit) as ended:
        throughput.run(throughput.Settings, throughput.main)
    assert ended.value.code == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err == f"error: {caught.value}\n"


@pytest.mark.parametrize("players", [2, 4, 6])
@pytest.mark.parametrize("peer", peers.PEERS, ids=NAMES)
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
