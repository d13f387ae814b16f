"""A match as `load.lua` reads it."""

from __future__ import annotations

from collections.abc import Mapping

from targi_server.match.clock import LENT_MS
from targi_server.match.entries import decode_log
from targi_server.match.model import OVER, Live, MatchHeader, Presence, StoredMatch, Verdict
from targi_server.store.commands import Reply

__all__ = ["stored_match"]


def stored_match(reply: Reply) -> StoredMatch | None:
    """From the script's reply; None if the match is not there."""
    if not isinstance(reply, list):
        return None
    head, pairs, log, verdict, now, outages = reply
    assert isinstance(head, bytes) and isinstance(pairs, list) and isinstance(log, bytes)
    assert isinstance(verdict, bytes) and isinstance(now, int) and isinstance(outages, int)
    fields = {str(name, "ascii"): value for name, value in _pairs(pairs)}
    live = _Fields(fields, now - outages, outages).live(Verdict.decode(verdict) if verdict else None)
    return StoredMatch(MatchHeader.decode(head), live, decode_log(log))


def _pairs(flat: list[Reply]) -> list[tuple[bytes, bytes]]:
    texts = [value for value in flat if isinstance(value, bytes)]
    return list(zip(texts[::2], texts[1::2], strict=True))


class _Fields:
    """The hash `live`, whose fields `parts/match.lua` explains, at a moment of service time."""

    def __init__(self, fields: Mapping[str, bytes], service_ms: int, outages_ms: int) -> None:
        self._fields = fields
        self._service = service_ms
        self._outages = outages_ms

    def __getitem__(self, name: str) -> int:
        return int(self._fields.get(name, b"0"))

    def live(self, verdict: Verdict | None) -> Live:
        """The value that others see."""
        seat = self["s"]
        return Live(
            ply=self["p"],
            seat=seat,
            clocks=(self["c0"], self["c1"]),
            turn_at_ms=self["t"],
            credit_ms=0 if seat == OVER else self._credit(seat),
            held=seat != OVER and self._service < self._hold_end(seat),
            let_go=(self["z0"], self["z1"]),
            strikes=(self["x0"], self["x1"]),
            seats=(self._presence(0), self._presence(1)),
            verdict=verdict,
        )

    def _presence(self, seat: int) -> Presence:
        gone = self[f"g{seat}"]
        return Presence(
            connected=gone == 0,
            replica=self._fields.get(f"r{seat}", b"").decode(),
            since_ms=(gone or self[f"n{seat}"]) + self._outages,
            used_ms=self[f"u{seat}"],
            credited=self[f"f{seat}"] == 1,
        )

    def _hold_end(self, seat: int) -> int:
        """When a clock that is held runs again, 0 for one that is not."""
        since = self[f"h{seat}"]
        return since and since + min(self["b"], self["e"] - self[f"y{seat}"])

    def _credit(self, seat: int) -> int:
        """Outages, what was given, and what an absence or a Hold that goes on will have given by now."""
        given_until = max(self["t"] - self["o"], self["m"])
        open_until, since = 0, 0
        if self[f"h{seat}"]:
            open_until, since = min(self._service, self._hold_end(seat)), self[f"h{seat}"]
        elif self[f"f{seat}"]:
            since = self[f"g{seat}"]
            open_until = min(self._service, since + LENT_MS)
        running = max(0, open_until - max(given_until, since))
        return max(0, self._outages - self["o"]) + self["k"] + running
