"""Matches that an administrator ends without a contest."""

from __future__ import annotations

import re

from targi_server.echo import echoed
from targi_server.errors import MatchOver, UnknownMatch
from targi_server.match.model import Culprit, Termination, Verdict
from targi_server.store.matches import MatchStore

__all__ = ["Aborts"]

_MATCH_ID = re.compile(r"[0-9a-f]{16}")


class Aborts:
    """Writes the verdict; both bots are told of it as of any other, and the pair is void."""

    def __init__(self, matches: MatchStore) -> None:
        self._matches = matches

    async def abort(self, match_id: str, reason: str) -> None:
        """Ends a running match. Raises UnknownMatch, MatchOver."""
        if not _MATCH_ID.fullmatch(match_id):
            raise UnknownMatch(f"{echoed(match_id)} is no id of a match: it has 16 hex digits")
        words = f"an administrator aborted the match{reason and f': {reason}'}"
        ended = await self._matches.end(match_id, Verdict("*", Termination.ABORTED, Culprit.NONE, words))
        if ended.given:
            return
        if ended.verdict is None and await self._matches.finished(match_id) is None:
            raise UnknownMatch(f"no match {match_id} runs")
        raise MatchOver(f"the match {match_id} is over: its result stands")
