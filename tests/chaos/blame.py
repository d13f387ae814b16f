"""Who may be charged and blamed for what: no more than a bot took itself, and what was done to it."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from facts import Facts
from spans import overlap_ms
from targi_server.match.incidents import IncidentKind
from targi_server.match.model import Termination

__all__ = ["away_rightly", "blamed_rightly", "charged_rightly"]

TOLERANCE_MS = 2_000
"""What a fault of the service may cost a bot."""
SLACK_MS = 1_500
"""For what a busy machine does to messages on their way."""
CLOCKS_MS = 50
"""Redis' clock is read a little later, or earlier, than a bot's."""


def charged_rightly(facts: Facts) -> Iterator[str]:
    """No answer costs more than its bot took, what was done to that bot, and the tolerance."""
    commits = facts.commits
    for ply, entry in enumerate(facts.kept.entries):
        from_ms, to_ms = commits[ply], commits[ply + 1]
        most = _own_ms(facts, entry.seat, ply, from_ms, to_ms) + _owed_ms(facts, entry.seat, from_ms, to_ms)
        most += overlap_ms(facts.busy, from_ms, to_ms)
        if entry.charged_ms > most:
            charged = f"seat {entry.seat} was charged {entry.charged_ms} ms at ply {ply}"
            yield f"{charged}, at most {most} ms are its own"


def _own_ms(facts: Facts, seat: int, ply: int, from_ms: int, to_ms: int) -> int:
    """What a bot took by itself: from being asked to its last answer before the commit."""
    told = facts.told[seat]
    if told is None:
        return 0
    asked = [at for at in told.asked_at.get(ply, ()) if at >= from_ms - CLOCKS_MS]
    acted = [at for at in told.acted_at.get(ply, ()) if at <= to_ms + CLOCKS_MS]
    return max(0, max(acted) - min(asked)) if asked and acted else 0


def _owed_ms(facts: Facts, seat: int, from_ms: int, to_ms: int) -> int:
    """What may be charged besides."""
    hits = facts.hits(from_ms, to_ms)
    return overlap_ms(facts.impaired[seat], from_ms, to_ms) + TOLERANCE_MS * hits + SLACK_MS


def away_rightly(facts: Facts) -> Iterator[str]:
    """No disconnect budget is used up beyond what was done to the bot."""
    from_ms, to_ms = facts.kept.began_ms, facts.kept.verdict.at_ms
    for seat in (0, 1):
        arrivals = (i for i in facts.kept.story if i.seat == seat and i.kind is IncidentKind.ARRIVED)
        used = max((incident.numbers[2] for incident in arrivals), default=0)
        if used > (most := _owed_ms(facts, seat, from_ms, to_ms)):
            yield f"seat {seat} used up {used} ms of its budget, at most {most} ms are its own"


def blamed_rightly(facts: Facts) -> Iterator[str]:
    """Each cause is one that was brought about."""
    yield from _BLAME[facts.kept.verdict.termination](facts)


def _culprit(facts: Facts) -> int:
    return int(facts.kept.verdict.culprit)


def _resigned(facts: Facts) -> Iterator[str]:
    told = facts.told[_culprit(facts)]
    if told is None or not told.gave_up:
        yield f"seat {_culprit(facts)} did not resign"


def _out_of_time(facts: Facts) -> Iterator[str]:
    seat, ply = _culprit(facts), len(facts.kept.entries)
    from_ms, to_ms = facts.commits[-1], facts.kept.verdict.at_ms
    left = facts.clocks[-1][seat]
    most = _own_ms(facts, seat, ply, from_ms, to_ms) + _owed_ms(facts, seat, from_ms, to_ms)
    if left > most:
        yield f"seat {seat} lost on time with {left} ms at its last turn, at most {most} ms are its own"


def _abandoned(facts: Facts) -> Iterator[str]:
    culprit = str(facts.kept.verdict.culprit)
    for seat in (0, 1) if culprit == "both" else (int(culprit),):
        most = _owed_ms(facts, seat, facts.kept.began_ms, facts.kept.verdict.at_ms)
        if most < facts.kept.header.budget_ms:
            yield f"seat {seat} abandoned the match, but was away for {most} ms at most"


def _never(facts: Facts) -> Iterator[str]:
    yield f"nothing that was done brings about {facts.kept.verdict}"


_BLAME: dict[Termination, Callable[[Facts], Iterator[str]]] = {
    Termination.NORMAL: lambda facts: iter(()),
    Termination.RESIGNED: _resigned,
    Termination.TIME: _out_of_time,
    Termination.ABANDONED: _abandoned,
    Termination.ABORTED: lambda facts: iter(()),  # of pairs.py
    Termination.ILLEGAL: _never,
    Termination.BOT_ERROR: _never,
    Termination.SERVER_ERROR: _never,
}
