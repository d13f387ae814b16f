"""What the rest of the server may ask of Redis: plain commands, and scripts by name."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, TypeAlias

__all__ = ["Argument", "Commands", "Reply"]

Argument: TypeAlias = bytes | str | int
Reply: TypeAlias = "int | bytes | list[Reply] | None"


class Commands(Protocol):
    """Commands of all callers of one loop turn go in one pipeline; the next collects meanwhile.

    A caller may be cancelled at any time: nobody gets another's reply. While Redis is away callers wait, up
    to a limit; then Unavailable is raised. A command that Redis refuses raises ServerError. A command whose
    outcome is unknown (the connection broke) is sent again, so it must be one that may be repeated; INCR is
    none, a script with a guard is.
    """

    async def command(self, *command: Argument) -> Reply:
        """One command with one key at least, such as `command("HGET", key, field)`."""

    async def commands(self, commands: Sequence[Sequence[Argument]]) -> list[Reply]:
        """Several, in one pipeline; not a transaction. Replies in their order."""

    async def script(self, name: str, keys: Sequence[str], arguments: Sequence[Argument] = ()) -> Reply:
        """A script from one of the directories given to `open_store`, by the name of its file."""

    async def scripts(
        self, name: str, calls: Sequence[tuple[Sequence[str], Sequence[Argument]]]
    ) -> list[Reply]:
        """The same script for several `(keys, arguments)`, in one pipeline. Replies in their order."""
