"""Names of bots on the command line: one that nobody has is an error with those that look like it."""

from __future__ import annotations

import difflib

from targi_engine import RULESETS

from targi_sdk.client.bots import Profile
from targi_sdk.client.unary import Calls
from targi_sdk.errors import RefusedError

__all__ = ["checked_bot"]

UNKNOWN = "NOT_FOUND"


def checked_bot(calls: Calls, name: str) -> Profile:
    """The bot of that name. Raises `RefusedError` that names it, and bots that are called alike."""
    try:
        return calls.bot(name)
    except RefusedError as error:
        if error.reason != UNKNOWN:
            raise
        raise RefusedError(UNKNOWN, f"{error}{_hint(calls, name)}") from error


def _hint(calls: Calls, name: str) -> str:
    """Looked for among those who are connected or rated: the service lists no others."""
    known = {bot.bot for bot in calls.online()}
    for ruleset in RULESETS:
        known |= {row.bot for row in calls.standings(ruleset).standings}
    near = difflib.get_close_matches(name, sorted(known), n=3)
    return f"; did you mean {' or '.join(map(repr, near))}?" if near else ""
