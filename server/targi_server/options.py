"""Settings as flags and variables, each read once.

A flag `--open-registration` and the variable `TARGI_OPEN_REGISTRATION` set the field `open_registration`;
flags win. A value that does not parse stops the start: `BadSetting` names the key and the value.
"""

from collections.abc import Mapping
from typing import Any

from targi_server.parameters import Kind
from targi_server.settings import Settings, flag, settable
from targi_server.start_errors import BadSetting

__all__ = ["environment_key", "read"]


def environment_key(name: str) -> str:
    """The environment variable of a field, such as `TARGI_OPEN_REGISTRATION`."""
    return "TARGI_" + name.upper()


def read(
    flags: Mapping[str, object],
    environment: Mapping[str, str],
    defaults: Mapping[str, object] | None = None,
) -> Settings:
    """Settings from flags (by field name; a missing one was not given) over environment over defaults.

    `defaults` replaces some of the class's. Raises BadSetting for the first value that does not parse or
    cannot work.
    """
    # Any: the fields' types differ, each kind parses to its own.
    values: dict[str, Any] = dict(defaults or {})
    for name, spec in settable().items():
        if name in flags:
            values[name] = parse(flag(name), str(flags[name]), spec.metadata["kind"])
        elif environment_key(name) in environment:
            key = environment_key(name)
            values[name] = parse(key, environment[key], spec.metadata["kind"])
    return Settings(**values)


def parse(key: str, text: str, kind: Kind) -> object:
    """The value of one setting; BadSetting names the key as the user wrote it."""
    try:
        return kind.parse(text)
    except ValueError as error:
        raise BadSetting(key, text, str(error)) from error
