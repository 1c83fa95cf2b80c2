"""What the README, the other documents and the notebooks show runs as it stands."""

import ast
import dataclasses
import os
import pty
import re
import select
import shlex
import subprocess
import sys
import termios
import time
import tomllib
from contextlib import suppress
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

from cardenv import games, schwimmen_v0
from cardenv.envs.registration import gymnasium_id

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text()
DOCUMENTS = {
    path.relative_to(ROOT).as_posix(): path.read_text()
    for path in [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
}
"""Every page that is written by hand; the others are made of the code."""

BLOCK = re.compile(r"^ *```(\w+).*?\n(.*?)^ *```", re.S | re.M)
PYTHON = [
    pytest.param(code, id=f"{name}-{place}")
    for name, text in DOCUMENTS.items()
    for place, (language, code) in enumerate(BLOCK.findall(text))
    if language == "python"
]

QUICK = {
    "train": "--steps 1024 --num-envs 16 --measure-deals 30",
    "evaluate": "--deals 30",
    "best_response": "--steps 1024 --num-envs 16 --measure-deals 30 --deals 30",
    "tournament": "--deals 30",
    "selfplay": "--steps 1024 --num-envs 16 --rollout 8 --measure-deals 30",
    "improve": "--steps 1024 --num-envs 16 --rollout 8 --measure-deals 30",
    "champions": "--games mow --players 2 --steps 1024 --deals 30",
    "training_speed": "--num-envs 8 --rollout 8 --minibatch 32 --updates 1 --repeats 1",
    "throughput": "--seconds 0.02 --repeats 1 --batches 1 8 --learner-tables 8",
}
"""Commands that take long as they are written, and what makes them short. All others are run as
they are written; these too, without it, by ``-m slow``."""


def commands(text):
    """Return the commands of a document's shell blocks, each as its words."""
    lines = [
        line
        for language, block in BLOCK.findall(text)
        if language in ("sh", "bash", "console", "shell")
        for line in block.replace("\\\n", " ").splitlines()
    ]
    return [words for line in lines if (words := shlex.split(line, comments=True))]


COMMANDS = {name: commands(text) for name, text in DOCUMENTS.items() if commands(text)}


def run(command, folder, timeout=280):
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=timeout)


def is_for_a_person(words):
    """Return whether a command waits for keys."""
    exports = {"--gif", "--svg"} & set(words)
    return words[2:4] in (["cardenv", "play"], ["cardenv", "replay"]) and not exports


def run_on_a_screen(command, folder, timeout=280):
    """Run a command in a terminal of its own, and leave it by Ctrl-Q once it has drawn."""
    screen, terminal = pty.openpty()
    termios.tcsetwinsize(terminal, (40, 120))
    place = {"cwd": folder, "env": os.environ | {"TERM": "xterm-256color"}}
    streams = dict.fromkeys(("stdin", "stdout", "stderr"), terminal)
    drawn, end = b"", time.monotonic() + timeout
    with subprocess.Popen(command, **place, **streams) as process:
        os.close(terminal)
        while process.poll() is None and time.monotonic() < end:
            if select.select([screen], [], [], 1)[0]:
                with suppress(OSError):  # Linux says so that the terminal is closed
                    drawn += os.read(screen, 2**16)
            elif b"seat" in drawn:
                os.write(screen, b"\x11")
        process.kill()
    os.close(screen)
    return subprocess.CompletedProcess(command, process.returncode, "", drawn.decode())


@pytest.mark.parametrize("code", PYTHON)
def test_every_python_block_of_the_documents_runs_in_any_folder(tmp_path, code):
    done = run([sys.executable, "-W", "error::DeprecationWarning", "-c", code], tmp_path)
    assert done.returncode == 0, done.stderr


def module_of(words):
    """Return the module of cardenv that a command runs, such as ``train``."""
    assert words[:2] == ["python", "-m"], f"nothing tests {shlex.join(words)!r}"
    return words[2].removeprefix("experiments.")


def shortened(words):
    """Return a command with few deals and steps, searches of few iterations, and nothing that is
    compiled for it alone."""
    small = [re.sub(r"^(mc|ismcts):\d+$", r"\1:4", word) for word in words if word != "--start"]
    if "--history" in small:  # of a length that other tests have compiled
        small[small.index("--history") + 1] = "5"
    if "--precision" in words:  # which takes the place of a number of deals
        return [*small, "--precision", "10"]
    return [*small, *QUICK.get(module_of(words), "").split()]


def check_pip(words):
    """Whoever installs gets extras that there are, and versions that were tested."""
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert words[1] == "install"
    for word in words[2:]:
        if word.startswith(".["):
            named = word.removeprefix(".[").removesuffix("]").split(",")
            assert set(named) <= set(extras["optional-dependencies"]), word
        elif not word.startswith("-"):
            assert word in (ROOT / "requirements.lock").read_text().splitlines(), word


def check_make(words):
    """The target is there, and says what it would do."""
    done = run([words[0], "--dry-run", *words[1:]], ROOT)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip()


def check_activation(words):
    """What is activated is the environment that the Makefile fills."""
    environment = Path(words[1]).parent
    assert f"BIN := {environment}" in (ROOT / "Makefile").read_text()


SETTING_UP = {"pip": check_pip, "make": check_make, ".": check_activation}
"""By its first word, how a command is tested that changes where cardenv is installed."""


def check_commands(document, folder, as_run, timeout):
    """Do what a document says, in its order: evaluation needs the run that training left."""
    for words in COMMANDS[document]:
        if words[0] in SETTING_UP:
            SETTING_UP[words[0]](words)
        else:
            module_of(words)
            look = run_on_a_screen if is_for_a_person(words) else run
            done = look([sys.executable, *as_run(words)[1:]], folder, timeout)
            assert done.returncode == 0, (shlex.join(words), done.stderr)


@pytest.mark.parametrize("document", COMMANDS)
def test_every_command_of_the_documents_runs_with_quick_settings(tmp_path, document):
    check_commands(document, tmp_path, shortened, 280)


@pytest.mark.slow
@pytest.mark.parametrize("document", COMMANDS)
def test_every_command_of_the_documents_runs_as_it_is_written(tmp_path, document):
    check_commands(document, tmp_path, list, 6 * 3600)


def test_quick_settings_are_those_of_commands_that_the_documents_show():
    shown = {
        module_of(words)
        for found in COMMANDS.values()
        for words in found
        if words[0] not in SETTING_UP
    }
    assert set(QUICK) <= shown


@pytest.mark.parametrize("name", DOCUMENTS)
def test_every_link_within_the_project_leads_to_a_file_and_to_a_heading_of_it(name):
    """So they lead somewhere where files are read; the site's test follows them on its pages."""
    found = re.findall(r"\]\(([^)\s]+)\)", BLOCK.sub("", DOCUMENTS[name]))
    links = [link for link in found if "://" not in link]
    assert name != "README.md" or links
    for link in links:
        place, _, anchor = link.partition("#")
        path = (ROOT / name).parent / place if place else ROOT / name
        assert path.exists(), link
        assert not anchor or anchor in headings(path.read_text()), link


def headings(text):
    """Return the anchors of a document's headings."""
    found = re.findall(r"^#+ (.+)$", BLOCK.sub("", text), re.M)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in found}


def test_every_guide_is_linked_to_from_the_readme():
    for name in DOCUMENTS:
        assert name == "README.md" or f"({name}" in README, name


# --- Notebooks ------------------------------------------------------------------------------------


every_notebook = pytest.mark.parametrize(
    "path", sorted((ROOT / "notebooks").glob("*.ipynb")), ids=lambda path: path.stem
)
IN_ALL, A_CELL = 180, 120
"""Seconds that a notebook, and a cell of it, may take with its own settings."""
QUICKLY_IN_ALL, QUICKLY_A_CELL = 40, 30
"""The same with CARDENV_QUICK."""
PATIENCE = 7
"""How many times as long a busy machine, on which games are still to be compiled, may take."""


def code_of(path):
    """Return the code of a notebook's cells, without lines that are no Python."""
    cells = [
        cell.source for cell in nbformat.read(path, as_version=4).cells if cell.cell_type == "code"
    ]
    return ["\n".join(line for line in cell.splitlines() if line[:1] != "%") for cell in cells]


def told_by(cell):
    """Return all that a cell has printed or shown as text."""
    return "\n".join(
        output.text if output.output_type == "stream" else output.data.get("text/plain", "")
        for output in cell.get("outputs", ())
    )


def execute(path, folder, in_all, a_cell):
    """Run a notebook from a clean start in an empty folder; no cell may warn."""
    notebook, ends = nbformat.read(path, as_version=4), time.monotonic() + PATIENCE * in_all
    client = NotebookClient(
        notebook,
        timeout_func=lambda cell: max(1, min(PATIENCE * a_cell, int(ends - time.monotonic()))),
        kernel_name="python3",
        resources={"metadata": {"path": str(folder)}},
    )
    client.execute()
    for cell in notebook.cells:
        assert not re.search(r"warning:|Warning\b", told_by(cell)), (cell.source, told_by(cell))


@every_notebook
def test_every_notebook_runs_quickly_from_a_clean_start_in_any_folder(tmp_path, path, monkeypatch):
    monkeypatch.setenv("CARDENV_QUICK", "1")
    execute(path, tmp_path, QUICKLY_IN_ALL, QUICKLY_A_CELL)


@pytest.mark.slow
@every_notebook
def test_every_notebook_runs_as_it_is_written(tmp_path, path, monkeypatch):
    monkeypatch.delenv("CARDENV_QUICK", raising=False)
    execute(path, tmp_path, IN_ALL, A_CELL)


@every_notebook
def test_every_notebook_is_stored_without_outputs(path):
    for cell in nbformat.read(path, as_version=4).cells:
        assert not cell.get("outputs")
        assert cell.get("execution_count") is None


def names_in(code):
    """Yield the modules, names and attributes that code takes from elsewhere."""
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.Import | ast.ImportFrom):
            yield from (alias.name for alias in node.names)
        if isinstance(node, ast.ImportFrom):
            yield str(node.module)
        elif isinstance(node, ast.Attribute):
            yield node.attr


@every_notebook
def test_notebooks_use_public_names_alone(path):
    for code in code_of(path):
        for name in names_in(code):
            assert not any(part.startswith("_") for part in name.split(".")), name


@every_notebook
def test_every_notebook_reads_the_quick_variable_in_one_cell_and_says_so(path):
    (cell,) = (code for code in code_of(path) if "CARDENV_QUICK" in code)
    assert 'QUICK = "CARDENV_QUICK" in os.environ' in cell
    assert "# With CARDENV_QUICK set" in cell


@every_notebook
def test_every_figure_has_axes_with_labels(path):
    for code in code_of(path):
        if "plt.subplots" in code:
            assert "xlabel" in code, code
            assert "ylabel" in code, code


@every_notebook
def test_the_readme_lists_every_notebook(path):
    assert f"| `{path.stem}` |" in README


# --- What README and the guides say ---------------------------------------------------------------


@pytest.mark.parametrize("game", games.names())
def test_the_guide_to_rules_names_every_switch_with_its_values(game):
    guide = DOCUMENTS["docs/guides/rules.md"].splitlines()
    for field in dataclasses.fields(games.get(game).rules):
        lines = [line for line in guide if line.startswith(f"| `{field.name}` |")]
        assert lines, field.name
        allowed = field.metadata.get("allowed", ())
        if isinstance(allowed, tuple):
            assert any(all(f"`{value}`" in line for value in allowed) for line in lines), field.name
        else:
            words = f"{allowed[0]} to {allowed[-1]} ({field.default})"
            assert any(words in line for line in lines), field.name


@pytest.mark.parametrize("mode", ["ansi", "svg"])
def test_the_pictures_in_the_readme_are_the_table_of_its_first_loop(mode):
    env = schwimmen_v0.env(num_players=4, episode="match", render_mode=mode)
    env.reset(seed=42)
    shown = README if mode == "ansi" else (ROOT / "docs/table.svg").read_text(encoding="utf-8")
    assert env.render() in shown


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
