"""The contract of a step: one kind of decision, or one kind of work between decisions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from targi_engine.state import State

ACT_ON: Final[tuple[int, ...]] = ()  # what `legal` returns when there is nothing to ask


class Step:
    """A step reads its argument from the top frame of the state's stack.

    `legal` returns the legal actions, sorted, and may be asked again; or it finds that nothing is
    to be asked, does its work, takes its frame off (or puts others on) and returns `ACT_ON`.
    `apply` carries out one of the actions that `legal` returned.
    """

    __slots__ = ()

    def legal(self, state: State) -> tuple[int, ...]:
        """The legal actions, or ACT_ON after work that asks nobody."""
        raise NotImplementedError

    def apply(self, state: State, action: int) -> None:
        """Carry out a legal action; work steps have none."""
        raise NotImplementedError
