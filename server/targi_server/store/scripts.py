"""Lua scripts by name, as one library of functions: Redis builds it once, not anew at each call.

The first line of a file may say `-- uses: judge memo`: files of `parts/`, each of which comes once, before
all scripts and after those that it uses itself. KEYS and ARGV are those of the call that runs.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Final

__all__ = ["LUA", "PREFIX", "Library", "read_scripts"]

LUA: Final = Path(__file__).parent / "lua"
"""The scripts of the match log."""
PREFIX: Final = "targi_"
"""What the names of all libraries of all versions begin with."""

_USES: Final = re.compile(r"-- uses: ([a-z ]+)\n")
_FUNCTION: Final = """
redis.register_function('{function}', function(keys, arguments)
KEYS, ARGV = keys, arguments
{source}
end)
"""


@dataclass(frozen=True, slots=True)
class Library:
    """Functions that Redis keeps. Other texts have other names: servers of two versions may share a Redis."""

    name: str
    source: str
    functions: Mapping[str, str]
    """What Redis calls the function of each script."""


def read_scripts(folders: Sequence[Path], *, clock: str | None = None) -> Library:
    """All scripts of the folders; `clock` replaces the part that asks Redis for its time.

    Raises ValueError for a name that comes twice, and FileNotFoundError for a part that is not there.
    """
    parts = {path.stem: path.read_text() for path in sorted((LUA / "parts").glob("*.lua"))}
    if clock is not None:
        parts["clock"] = clock
    scripts = _scripts(folders)
    seen: set[str] = set()
    before = [part for source in scripts.values() for part in _parts_of(source, parts, seen)]
    digest = sha256("\0".join((*before, *scripts, *scripts.values())).encode()).hexdigest()[:16]
    functions = {name: f"{name}_{digest}" for name in scripts}
    text = [f"#!lua name={PREFIX}{digest}", "local KEYS, ARGV", *before]
    text += [_FUNCTION.format(function=functions[name], source=source) for name, source in scripts.items()]
    return Library(f"{PREFIX}{digest}", "\n".join(text), functions)


def _scripts(folders: Sequence[Path]) -> dict[str, str]:
    scripts: dict[str, str] = {}
    for path in (path for folder in folders for path in sorted(folder.glob("*.lua"))):
        if path.stem in scripts:
            raise ValueError(f"two scripts are called {path.stem!r}; rename {path}")
        scripts[path.stem] = path.read_text()
    return scripts


def _parts_of(source: str, parts: Mapping[str, str], seen: set[str]) -> Iterator[str]:
    """The parts that a text uses and that were not seen before, in order."""
    match = _USES.match(source)
    for name in match.group(1).split() if match else ():
        if name not in parts:
            raise FileNotFoundError(f"there is no part {name!r}; there are {', '.join(parts)}")
        if name not in seen:
            seen.add(name)
            yield from _parts_of(parts[name], parts, seen)
            yield parts[name]
