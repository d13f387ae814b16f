"""What the rest of the server may ask of Redis: plain commands, and scripts by name."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

__all__ = ["Argument", "Commands", "Reply"]

Argument: TypeAlias = bytes | str | int
Reply: TypeAlias = "int | bytes | list[Reply] | None"


class Commands:
    """Commands of all callers of one loop turn go in one pipeline; the next collects meanwhile.

    A caller may be cancelled at any time: nobody gets another's reply. While Redis is away callers wait, up to a
    limit; then Unavailable is raised. A command whose outcome is unknown (the connection broke) is sent again,
    so it must be one that may be repeated; INCR is none, a script with a guard is.
    """

    async def command(self, *command: Argument) -> Reply:
        """One command with one key at least, such as `command("HGET", key, field)`."""
        raise NotImplementedError

    async def commands(self, commands: Sequence[Sequence[Argument]]) -> list[Reply]:
        """Several, in one pipeline; not a transaction. Replies in their order."""
        raise NotImplementedError

    async def script(self, name: str, keys: Sequence[str], arguments: Sequence[Argument] = ()) -> Reply:
        """A script from one of the directories given to `open_store`, by the name of its file."""
        raise NotImplementedError
