"""Promises of ``experiments.throughput``: what figures are of, how many cores, the picture."""

import itertools
import json
import statistics
import sys
import threading

import pytest
from matplotlib.image import imread
from PIL import Image

from experiments import charts, measurement, throughput
from experiments.command import SettingsError
from experiments.deals import all_cores
from tests.cases import GAMES

QUICK = {"game": GAMES[-1], "seconds": 0.02, "repeats": 2, "learner_tables": 8}
needs_two_cores = pytest.mark.skipif(all_cores() < 2, reason="this machine has one core")


@needs_two_cores
def test_two_cores_stand_beside_one_in_table_file_and_picture(tmp_path, capsys):
    out, chart = tmp_path / "new" / "result.json", tmp_path / "pictures" / "speed.png"
    settings = throughput.Settings(batches=(1, 8), cores=(1, 2), out=out, chart=chart, **QUICK)
    throughput.main(settings)
    report = json.loads(out.read_text())
    rates, times = report["decisions_per_second"], report["times_one_core"]
    assert set(times) == {name for name in rates if name.endswith(", 2 cores")}
    assert {name.removesuffix(", 2 cores") for name in times} == {
        *("kernel, random play, 8 tables", "Tables.step, 8 tables", "PettingZoo last + step"),
        *(f"{env}, 8 tables, among greedy" for env in ("Gymnasium VectorEnv", "SB3 VecEnv")),
    }
    assert all(rate > 0 for rate in (*rates.values(), *times.values()))
    printed = capsys.readouterr().out
    assert all(f"{each:.2f}" in printed for each in times.values())
    assert len(set(imread(chart).reshape(-1, 4)[:, 0])) > 2
    with Image.open(chart) as picture:
        assert json.loads(picture.info["Description"])["versions"] == report["versions"]


def test_result_files_name_versions_seed_settings_and_command(monkeypatch):
    monkeypatch.setattr(sys, "argv", ["throughput", "--seed", "7"])
    report = throughput.throughput(throughput.Settings(batches=(1,), cores=(1,), seed=7, **QUICK))
    assert report["settings"]["seed"] == 7
    assert report["settings"]["cores"] == [1]
    assert report["command"].endswith("--seed 7")
    assert report["versions"]["numba"]


def test_more_cores_than_there_are_get_one_sentence():
    many = all_cores() + 1
    with pytest.raises(SettingsError, match=f"{many}.* give numbers from 1 to {all_cores()}"):
        throughput.throughput(throughput.Settings(cores=(many,), **QUICK))


def test_a_picture_that_cannot_be_written_is_refused_before_anything_is_measured(tmp_path):
    with pytest.raises(SettingsError, match="cannot be written"):
        throughput.throughput(throughput.Settings(chart=tmp_path, **QUICK))


@pytest.mark.parametrize("cores", [1, 3])
def test_cores_share_all_the_tables(cores):
    sizes = []

    def measure(tables, seed):
        sizes.append(tables.count)
        return lambda seconds: (tables.count, 0.5)

    job = throughput.shared_out("play", measure, throughput.Settings(**QUICK), 8, cores)
    assert sum(sizes) == 8
    assert max(sizes) - min(sizes) <= 1
    decisions, seconds = job.measure(1.0)
    assert decisions / seconds == pytest.approx(16)
    assert job.name == ("play, 8 tables" if cores == 1 else "play, 8 tables, 3 cores")


def test_threads_measure_at_the_same_time():
    meet = threading.Barrier(2, timeout=60)  # which one alone never passes

    def measure(seconds):
        meet.wait()
        return 10, 2.0 * seconds

    assert measurement.in_threads([measure, measure])(1.0) == (20, 2.0)


def test_rates_of_several_add_up():
    decisions, seconds = measurement.together([(30, 1.0), (10, 2.0)])
    assert decisions / seconds == pytest.approx(30 + 5)


def test_times_as_fast_is_the_median_of_what_runs_made_in_turn_say():
    rates = {"ours": [80.0, 100.0, 30.0], "slow": [8.0, 5.0, 2.0], "fast": [160.0, 100.0, 90.0]}
    pairs = {"beside slow": ("ours", "slow"), "beside fast": ("ours", "fast")}
    found = throughput.times_as_fast(rates, pairs)
    assert found == {"beside slow": statistics.median([10, 20, 15]), "beside fast": 0.5}


def test_names_in_the_picture_keep_apart_and_in_order():
    heights = [0.0, 0.1, 0.15, 2.0, 2.0]
    moved = charts.apart(heights, 0.5)
    assert all(high - low >= 0.5 for low, high in itertools.pairwise(moved))
    assert all(new >= old for new, old in zip(moved, heights, strict=True))
    assert moved[0] == 0.0
    assert moved[3] == 2.0
