"""A memory of the last names that were put into it."""

from __future__ import annotations

__all__ = ["Recent"]


class Recent:
    """The last `most` names that were added; older ones are forgotten."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._names: dict[str, None] = {}

    def add(self, name: str) -> None:
        """Remember a name; one that is known counts as added now."""
        self._names.pop(name, None)
        self._names[name] = None
        if len(self._names) > self._most:
            del self._names[next(iter(self._names))]

    def discard(self, name: str) -> None:
        """Forget a name, if it is there."""
        self._names.pop(name, None)

    def __contains__(self, name: str) -> bool:
        return name in self._names
