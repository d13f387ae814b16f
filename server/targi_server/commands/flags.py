"""Settings as flags of a command."""

import argparse
from collections.abc import Collection, Mapping
from typing import cast

from targi_server.options import environment_key, read
from targi_server.parameters import Kind, Switch
from targi_server.settings import Settings, flag, settable

__all__ = ["add_settings", "settings_of"]


def add_settings(
    parser: argparse.ArgumentParser, names: Collection[str] = (), defaults: Mapping[str, object] | None = None
) -> None:
    """Adds a flag for each setting, or for the named ones; one that is not given leaves no trace.

    `defaults` are what --help shows in place of the class's.
    """
    group = parser.add_argument_group("settings", "each also as an environment variable, in brackets")
    for name, spec in settable().items():
        if not names or name in names:
            default = (defaults or {}).get(name, spec.default)
            text = f"{spec.metadata['help']}{shown(default)} [{environment_key(name)}]"
            add_flag(group, name, cast(Kind, spec.metadata["kind"]), text.replace("%", "%%"))


def add_flag(group: "argparse._ArgumentGroup", name: str, kind: Kind, text: str) -> None:
    """A switch takes no value, and has a `--no-` form; anything else takes its text."""
    if isinstance(kind, Switch):
        group.add_argument(
            flag(name), dest=name, default=argparse.SUPPRESS, action=argparse.BooleanOptionalAction, help=text
        )
    else:
        group.add_argument(flag(name), dest=name, default=argparse.SUPPRESS, metavar=kind.metavar, help=text)


def shown(default: object) -> str:
    """A default as a person would write it; nothing where the help itself says what holds without a value."""
    if default in (None, ()):
        return ""
    if isinstance(default, bool):
        return f" (default: {'on' if default else 'off'})"
    return f" (default: {default:g})" if isinstance(default, float) else f" (default: {default})"


def settings_of(
    args: argparse.Namespace, environment: Mapping[str, str], defaults: Mapping[str, object] | None = None
) -> Settings:
    """The settings that flags, environment and defaults give. Raises BadSetting."""
    given = {name: getattr(args, name) for name in settable() if hasattr(args, name)}
    return read(given, environment, defaults)
