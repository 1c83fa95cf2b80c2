"""What the README and the notebooks show runs as it stands."""

import dataclasses
import re
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

from cardenv import games
from cardenv.envs.registration import gymnasium_id

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text()
BLOCKS = re.findall(r"```python\n(.*?)```", README, re.S)
COMMANDS = [
    " ".join(line.split())
    for block in re.findall(r"```sh\n(python .*?)```", README, re.S)
    for line in block.replace("\\\n", " ").splitlines()
]


def run(command, folder):
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=280)


@pytest.mark.parametrize("place", range(len(BLOCKS)))
def test_every_python_block_of_the_readme_runs_in_any_folder(tmp_path, place):
    done = run([sys.executable, "-W", "error::DeprecationWarning", "-c", BLOCKS[place]], tmp_path)
    assert done.returncode == 0, done.stderr


def test_every_command_of_the_readme_runs_with_quick_settings(tmp_path):
    """In the README's order: evaluation needs the run that training left."""
    quick = {
        "train": "--steps 1024 --num-envs 16 --measure-deals 30",
        "evaluate": "--deals 30",
        "best_response": "--steps 1024 --num-envs 16 --measure-deals 30 --deals 30",
        "tournament": "--deals 30",
        "selfplay": "--steps 1024 --num-envs 16 --rollout 8 --measure-deals 30",
        "improve": "--steps 1024 --num-envs 16 --rollout 8 --measure-deals 30",
        "training_speed": "--num-envs 8 --rollout 8 --minibatch 32 --updates 1 --repeats 1",
        "throughput": "--seconds 0.02 --repeats 1 --batches 1 8 --learner-tables 8",
    }
    modules = []
    for command in COMMANDS:
        words = command.split()
        modules.append(words[2].removeprefix("experiments."))
        if "--precision" in words:  # which takes the place of a number of deals
            quick_words = ["--precision", "10"]
        else:
            quick_words = quick[modules[-1]].split()
        done = run([sys.executable, *words[1:], *quick_words], tmp_path)
        assert done.returncode == 0, (command, done.stderr)
    assert set(modules) == set(quick)


@pytest.mark.parametrize("name", ["README.md", "docs/strength.md", "docs/speed.md"])
def test_every_link_within_the_project_leads_to_a_file(name):
    text = (ROOT / name).read_text()
    links = [link for link in re.findall(r"\]\(([^)]+)\)", text) if "://" not in link]
    assert name != "README.md" or links
    for link in links:
        assert ((ROOT / name).parent / link.split("#")[0]).exists(), link


@pytest.mark.parametrize("path", sorted((ROOT / "notebooks").glob("*.ipynb")), ids=lambda p: p.stem)
def test_every_notebook_runs_from_a_clean_start_in_any_folder(tmp_path, path):
    notebook = nbformat.read(path, as_version=4)
    assert all(not cell.get("outputs") for cell in notebook.cells), "stored without outputs"
    client = NotebookClient(
        notebook,
        timeout=120,
        kernel_name="python3",
        resources={"metadata": {"path": str(tmp_path)}},
    )
    client.execute()


@pytest.mark.parametrize("game", games.names())
def test_the_readme_names_every_switch_with_its_values(game):
    for field in dataclasses.fields(games.get(game).rules):
        lines = [line for line in README.splitlines() if line.startswith(f"| `{field.name}` |")]
        assert lines, field.name
        allowed = field.metadata.get("allowed", ())
        if isinstance(allowed, tuple):
            assert any(all(f"`{value}`" in line for value in allowed) for line in lines), field.name
        else:
            words = f"{allowed[0]} to {allowed[-1]} ({field.default})"
            assert any(words in line for line in lines), field.name


def test_the_clones_own_folder_is_not_taken_for_the_package(tmp_path):
    (tmp_path / "cardenv").symlink_to(ROOT, target_is_directory=True)
    done = run([sys.executable, "-c", "import cardenv; print(cardenv.__version__)"], tmp_path)
    assert done.returncode == 0, done.stderr


def test_no_placeholder_is_left_in_the_readme():
    assert not re.search(r"@[A-Z]+@|[A-Z]+-TABLE", README)


def test_the_readme_names_every_game_and_preset():
    for name in games.names():
        game = games.get(name)
        for word in (*game.aliases, f"cardenv.{name}_v{game.version}", gymnasium_id(game)):
            assert f"`{word}`" in README
        for preset in game.rules.PRESETS:
            assert f"`{preset}`" in README or f"--rules {preset}" in README
