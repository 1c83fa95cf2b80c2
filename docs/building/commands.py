"""A page for each command, with every setting of its dataclass.

Commands are the modules of ``experiments`` that can be run, and those of ``python -m cardenv``.
"""

import dataclasses
import functools
import importlib
import inspect
import pkgutil
import types
import typing
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import griffe
import tyro

import experiments
from building.markdown import code, fenced, page, table
from cardenv.terminal import commands as terminal

PACKAGE = experiments.__name__
PROJECT = ("cardenv", PACKAGE)
HEADS = ("option", "values", "default", "meaning")
KINDS = {"int": "a whole number", "float": "a number", "str": "a word", "Path": "a path"}


def commands() -> list[str]:
    """Return the names of all commands."""
    return [*cardenv_commands(), *experiment_commands()]


def cardenv_commands() -> dict[str, type]:
    """Return the dataclasses of the commands of ``python -m cardenv`` by their names."""
    return {
        name.lower(): member
        for name, member in vars(terminal).items()
        if dataclasses.is_dataclass(member)
        and isinstance(member, type)
        and member.__module__ == terminal.__name__
    }


def experiment_commands() -> list[str]:
    """Return the names of the modules of ``experiments`` that can be run."""
    return [
        module.name
        for module in pkgutil.iter_modules(experiments.__path__)
        if hasattr(loaded := importlib.import_module(f"{PACKAGE}.{module.name}"), "Settings")
        and 'if __name__ == "__main__"' in inspect.getsource(loaded)
    ]


def command_page(name: str) -> str:
    """Return a command's page: what it is for, its settings, and what it has for programs."""
    if settings := cardenv_commands().get(name):
        return page(
            name,
            fenced(f"python -m cardenv {name} --help", "sh"),
            inspect.getdoc(settings) or "",
            *_settings(settings),
        )
    module = importlib.import_module(f"{PACKAGE}.{name}")
    return page(
        name,
        fenced(f"python -m {PACKAGE}.{name} --help", "sh"),
        inspect.getdoc(module) or "",
        *_settings(module.Settings),
        "## From Python",
        *(
            f"::: {PACKAGE}.{name}.{part}\n    options:\n      heading_level: 3\n"
            "      show_root_heading: true\n      show_root_toc_entry: true"
            for part in _for_programs(f"{PACKAGE}.{name}")
        ),
    )


def _settings(settings: type) -> list[str]:
    """Return tables of all settings, those of a class that others share under its own heading."""
    parts = ["## Settings"]
    for owner, fields in _by_owner(settings):
        if owner is not settings:
            parts.append(f"### {inspect.getdoc(owner)}")
        parts.append(table(HEADS, [_row(settings, field) for field in fields]))
    return parts


def _for_programs(module: str) -> list[str]:
    """Return the functions and classes that a module has beside its settings."""
    return [
        name
        for name, member in _module(module).members.items()
        if not member.is_alias  # what is imported
        and (member.is_function or member.is_class)
        and not name.startswith("_")
        and name != "Settings"
    ]


def _by_owner(settings: type) -> Iterator[tuple[type, list[dataclasses.Field[Any]]]]:
    """Yield each class with the settings that it is the first to state, the command's own first.

    What a class states anew, such as another default, is its own.
    """
    left = {field.name: field for field in dataclasses.fields(settings)}
    for owner in settings.__mro__:
        stated = vars(owner).get("__annotations__", {})
        own = [left.pop(name) for name in list(left) if name in stated]
        if own:
            yield owner, own


def _row(settings: type, field: dataclasses.Field[Any]) -> tuple[str, str, str, str]:
    option = field.name.replace("_", "-")
    words = meaning(settings, field)
    if tyro.conf.Positional in getattr(field.type, "__metadata__", ()):
        return code(option.upper()), _values(field.type), _default(field), words
    if field.type is bool:
        return code(f"--{option}", f"--no-{option}"), "", _default(field), words
    return code(f"--{option}"), _values(field.type), _default(field), words


def _values(kind: Any) -> str:
    """Return in words what an option takes."""
    origin, parts = typing.get_origin(kind), typing.get_args(kind)
    if origin is typing.Annotated:
        return _values(parts[0])
    if origin is typing.Literal:
        return code(*parts)
    if origin is types.UnionType:
        return ", or ".join("nothing" if part is type(None) else _values(part) for part in parts)
    if origin is tuple:
        return _values(parts[0]).removeprefix("a ") + "s"
    return KINDS[kind.__name__]


def _default(field: dataclasses.Field[Any]) -> str:
    value = field.default
    if field.default_factory is not dataclasses.MISSING:
        value = field.default_factory()
    if value is dataclasses.MISSING:
        return "none: it must be given"
    if value in (None, ()):
        return "nothing"
    return " ".join(map(code, value)) if isinstance(value, tuple) else code(value)


def meaning(settings: type, field: dataclasses.Field[Any]) -> str:
    """Return what a setting's annotation or docstring says of it, as ``--help`` does."""
    for note in getattr(field.type, "__metadata__", ()):
        if getattr(note, "help", None):
            return str(note.help)
    for owner in settings.__mro__:
        if owner.__module__.partition(".")[0] in PROJECT:
            stated = _class(owner).members.get(field.name)
            if stated and stated.docstring:
                return stated.docstring.value
    raise ValueError(f"{settings.__module__}.Settings does not say what {field.name} is.")


def _class(owner: type) -> griffe.Object:
    """Return what a class's source says."""
    found = _module(owner.__module__)[owner.__name__]
    assert isinstance(found, griffe.Object)
    return found


@functools.cache
def _module(name: str) -> griffe.Module:
    """Return what a module's source says, that of no other module."""
    module = importlib.import_module(name)
    return griffe.visit(name, Path(str(module.__file__)), inspect.getsource(module))
