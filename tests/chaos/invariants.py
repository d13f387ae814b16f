"""What must hold of every match, whatever was done to its processes: checks of what was told and kept."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterator

from blame import away_rightly, blamed_rightly, charged_rightly
from charges import charged_by_the_log, credited_rightly
from facts import Facts
from journal import STARTED
from targi_engine import Record, action_id, verify
from targi_sdk.wire import culprit_from_proto, result_from_proto, termination_from_proto
from targi_server.play import replay

__all__ = ["CHECKS", "violations"]


def one_result(facts: Facts) -> Iterator[str]:
    """Exactly one result, the same wherever it is told."""
    verdict = facts.kept.verdict
    words = (verdict.result, str(verdict.termination), str(verdict.culprit))
    for seat, told in facts.seats_told():
        for end in told.ended:
            if end.words != words:
                yield f"seat {seat} was told {end.words}, kept is {words}"
    outcome = facts.answer.match.outcome
    shown = (
        result_from_proto(outcome.result),
        termination_from_proto(outcome.termination),
        culprit_from_proto(outcome.culprit),
    )
    if shown != words:
        yield f"GetMatch says {shown}, kept is {words}"


def replays(facts: Facts) -> Iterator[str]:
    """The record is that of the log, and replays."""
    if facts.record != facts.kept.record:
        yield "GetRecord is not the record that is kept"
    record = Record.parse(facts.record)
    verify(record)
    verdict = facts.kept.verdict
    tags = [record.tags[name] for name in ("Result", "Termination", "Culprit")]
    if tags != [verdict.result, str(verdict.termination), str(verdict.culprit)]:
        yield f"the record says {tags}, kept is {verdict}"
    log = [entry.action for entry in facts.kept.entries]
    if [action for action, _ in record.actions] != log:
        yield "the record has other actions than the log"


def told_the_log(facts: Facts) -> Iterator[str]:
    """What each seat was told of actions is what the log has: nothing acknowledged is missing or doubled."""
    log = [(entry.seat, entry.action) for entry in facts.kept.entries]
    for seat, told in facts.seats_told():
        for applied in told.applied:
            part = log[applied.ply : applied.ply + len(applied.log)]
            if list(applied.log) != part or applied.next_ply != applied.ply + len(part):
                yield f"seat {seat} was told {applied}, the log has {part}"
        for start in told.starts:
            if start.log is not None and list(start.log) != [action for _, action in log[: start.ply]]:
                yield f"seat {seat} was told another log at ply {start.ply}"


def told_without_gaps(facts: Facts) -> Iterator[str]:
    """On one stream no action is left out."""
    for seat, told in facts.seats_told():
        known = 0
        for first, following in told.course:
            if first > known:
                yield f"seat {seat} heard of ply {first} when it knew {known} plies"
            known = following if first == STARTED else max(known, following)


def told_the_end(facts: Facts) -> Iterator[str]:
    """Both seats hear of the end, sooner or later: it is kept for a bot that is away, and all come back."""
    for seat, told in enumerate(facts.told):
        if told is None or not (told.ended or told.over):
            yield f"seat {seat} was never told of the end"


def acted_by_its_bot(facts: Facts) -> Iterator[str]:
    """Every action was sent by the bot that it is of, for that ply."""
    sent = [{(act.ply, act.action) for act in told.acted} if told else set() for told in facts.told]
    for ply, entry in enumerate(facts.kept.entries):
        if (ply, entry.action) not in sent[entry.seat]:
            yield f"ply {ply} was not played by seat {entry.seat}"


def shown_the_position(facts: Facts) -> Iterator[str]:
    """Each turn showed the position that the log has at its ply."""
    asked: dict[tuple[int, int], set[int]] = {}
    for seat, told in facts.seats_told():
        for turn in told.asked:
            asked.setdefault((turn.ply, seat), set()).add(turn.crc)
    state, _ = replay.start(facts.kept.header)
    for ply, entry in enumerate(facts.kept.entries):
        if crcs := asked.pop((ply, entry.seat), None):
            now = zlib.crc32(state.observation(entry.seat).encode())
            if crcs != {now}:
                yield f"seat {entry.seat} was shown another position at ply {ply}"
        state.apply(entry.action)
    last = len(facts.kept.entries)
    for ply, seat in asked:
        if ply != last:
            yield f"seat {seat} was asked at ply {ply}, which was not its turn"


def clocks_add_up(facts: Facts) -> Iterator[str]:
    """Clocks that both were told, and those at the end, are the charges of the log, added up."""
    course, entries = facts.clocks, facts.kept.entries
    for seat, told in facts.seats_told():
        for applied in told.applied:
            after = course[min(applied.next_ply, len(entries))]
            if applied.clocks != after or applied.charged_ms != entries[applied.ply].charged_ms:
                yield f"seat {seat} was told {applied}, the log gives {after}"
    if facts.kept.clocks != course[-1]:
        yield f"clocks at the end are {facts.kept.clocks}, the log gives {course[-1]}"


def timeline_is_the_log(facts: Facts) -> Iterator[str]:
    """GetMatch explains the same as the log has."""
    rows = [row for row in facts.answer.timeline if row.HasField("action")]
    shown = [
        (
            row.ply,
            row.seat,
            action_id(row.action.name),
            row.charged_ms,
            row.out_ms,
            row.in_ms,
            row.committed_unix_ms,
        )
        for row in rows
    ]
    kept = [
        (ply, e.seat, e.action, e.charged_ms, e.out_ms, e.in_ms, at)
        for (ply, e), at in zip(enumerate(facts.kept.entries), facts.commits[1:], strict=True)
    ]
    for one, other in zip(shown, kept, strict=False):
        if one != other:
            yield f"the timeline has {one}, the log {other}"
    if len(shown) != len(kept):
        yield f"the timeline has {len(shown)} actions, the log {len(kept)}"


CHECKS: tuple[Callable[[Facts], Iterator[str]], ...] = (
    one_result,
    replays,
    told_the_log,
    told_without_gaps,
    told_the_end,
    acted_by_its_bot,
    shown_the_position,
    clocks_add_up,
    timeline_is_the_log,
    charged_by_the_log,
    credited_rightly,
    charged_rightly,
    away_rightly,
    blamed_rightly,
)


def violations(facts: Facts) -> Iterator[str]:
    """All that does not hold of a match, each with the name of its check."""
    for check in CHECKS:
        try:
            for words in check(facts):
                yield f"{check.__name__}: {words}"
        except Exception as error:  # what cannot even be checked does not hold
            yield f"{check.__name__}: {type(error).__name__}: {error}"
