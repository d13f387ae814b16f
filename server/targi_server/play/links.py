"""The actions of an Act as they came, read but not yet judged."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple, cast

from targi.v1 import game_pb2, play_pb2
from targi_engine import ACTIONS, UnknownAction, action_id

from targi_server.errors import Invalid
from targi_server.match.incidents import received

__all__ = ["MAX_CHAIN", "Links", "is_empty", "read_links", "shown_link"]

MAX_CHAIN = 64
"""Most actions of one Act."""


class Links(NamedTuple):
    """A chain as it was sent: an action id, or None for what is no action of the vocabulary."""

    actions: tuple[int | None, ...]
    digest: bytes
    """8 bytes of the whole list: a resend has the same, any other list another."""

    @property
    def known(self) -> tuple[int, ...]:
        """The links up to the first that is no action."""
        if None in self.actions:
            return cast(tuple[int, ...], self.actions[: self.actions.index(None)])
        return cast(tuple[int, ...], self.actions)


def read_links(act: play_pb2.Act, *, ids_valid: bool) -> Links:
    """The chain of an Act. Notation wins over ids; ids count only where both sides number alike.

    Raises Invalid for a chain of more than MAX_CHAIN actions.
    """
    sent = act.actions
    if len(sent) > MAX_CHAIN:
        raise Invalid(
            f"{len(sent)} actions in one Act: send {MAX_CHAIN} at most, the rest with the next turn"
        )
    actions = tuple(_link(action, ids_valid) for action in sent)
    return Links(actions, _digest(actions, sent))


def shown_link(act: play_pb2.Act, link: int, *, ids_valid: bool) -> str:
    """One action of an Act, fit for one line: in notation, however it was sent, if it is any action."""
    if link >= len(act.actions):
        return "an Act without any action"
    action = act.actions[link]
    if is_empty(action):
        return "an empty action"
    known = _link(action, ids_valid)
    if known is not None:
        return received(ACTIONS[known])
    return received(action.name) if action.name else f"id {action.id}"


def is_empty(action: game_pb2.Action) -> bool:
    """Whether it has neither an id nor a name; id 0 counts only where it was set."""
    return not action.name and not action.HasField("id")


def _link(action: game_pb2.Action, ids_valid: bool) -> int | None:
    if action.name:
        try:
            return action_id(action.name)
        except UnknownAction:
            return None
    if not action.HasField("id"):
        return None
    return action.id if ids_valid and action.id < len(ACTIONS) else None


def _digest(actions: tuple[int | None, ...], sent: Sequence[game_pb2.Action]) -> bytes:
    if None not in actions:
        return _digest_of(actions)
    pairs = zip(actions, sent, strict=True)
    return _digested([_raw(raw) if link is None else str(link) for link, raw in pairs])


@lru_cache(maxsize=4_096)
def _digest_of(actions: tuple[int | None, ...]) -> bytes:
    """Of known actions; most are sent again and again."""
    return _digested([str(link) for link in actions])


def _digested(words: Sequence[str]) -> bytes:
    return hashlib.blake2b("\0".join(words).encode(), digest_size=8).digest()


def _raw(action: game_pb2.Action) -> str:
    return f"?{action.id if action.HasField('id') else ''}:{action.name}"
