"""Lua scripts by name: `append` is `append.lua` with the parts that it uses put before it.

The first line of a file may say `-- uses: judge memo`: files of `parts/`, each of which comes once, after
those that it uses itself.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha1
from pathlib import Path
from typing import Final

__all__ = ["LUA", "Script", "read_scripts"]

LUA: Final = Path(__file__).parent / "lua"
"""The scripts of the match log."""

_USES: Final = re.compile(r"-- uses: ([a-z ]+)\n")


@dataclass(frozen=True, slots=True)
class Script:
    """A script as Redis gets it."""

    source: str
    sha: str

    @classmethod
    def of(cls, source: str) -> Script:
        """The script with this text."""
        return cls(source, sha1(source.encode(), usedforsecurity=False).hexdigest())


def read_scripts(folders: Sequence[Path], *, clock: str | None = None) -> Mapping[str, Script]:
    """All scripts of the folders by name; `clock` replaces the part that asks Redis for its time.

    Raises ValueError for a name that comes twice, and FileNotFoundError for a part that is not there.
    """
    parts = {path.stem: path.read_text() for path in sorted((LUA / "parts").glob("*.lua"))}
    if clock is not None:
        parts["clock"] = clock
    scripts: dict[str, Script] = {}
    for path in (path for folder in folders for path in sorted(folder.glob("*.lua"))):
        if path.stem in scripts:
            raise ValueError(f"two scripts are called {path.stem!r}; rename {path}")
        scripts[path.stem] = Script.of("\n".join(_with_parts(path.read_text(), parts, set())))
    return scripts


def _with_parts(source: str, parts: Mapping[str, str], seen: set[str]) -> list[str]:
    """The text after the parts that it uses and that were not seen before."""
    found: list[str] = []
    for name in _names(source):
        if name not in parts:
            raise FileNotFoundError(f"there is no part {name!r}; there are {', '.join(parts)}")
        if name not in seen:
            seen.add(name)
            found += _with_parts(parts[name], parts, seen)
    return [*found, source]


def _names(source: str) -> list[str]:
    match = _USES.match(source)
    return match.group(1).split() if match else []
