"""The command line: ``python -m cardenv play``, ``replay`` and ``check``."""

import sys
from importlib.util import find_spec

NEEDED = ("tyro", "rich", "textual")


def main() -> None:
    """Carry out the command that was given, or say what is to be installed for it."""
    if missing := [name for name in NEEDED if find_spec(name) is None]:
        sys.exit(
            f"error: cardenv's commands need {', '.join(missing)}; install cardenv with its extra: "
            "pip install -e '.[terminal]'"
        )
    from cardenv.terminal.commands import main as carry_out

    carry_out()


if __name__ == "__main__":
    main()
