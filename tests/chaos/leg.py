"""One leg of a run: a service and its bots, from their start through a storm to the end of the last match."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from pathlib import Path

from arena_api import Api, api
from canary import starving, watched
from evidence import Course, facts_of, finished, keys_left, settle, tracebacks
from faults import Field
from fleet import BOTS, fleet
from invariants import violations
from journal import BotNotes, read
from pairs import pair_violations
from plan import plan
from spans import returns
from storm import Done, Storm
from targi_server.ladder.finished import Finished
from venue import VENUES, skewed

__all__ = ["Leg", "Outcome"]

LONGEST_RETURN_S = 75.0
"""A process that takes over twice within a minute has to wait for one."""
NEAR_MS = 5_000
Tell = Callable[[str], None]


@dataclass
class Outcome:
    """What came of a leg."""

    games: int = 0
    endings: Counter[str] = field(default_factory=Counter)
    actions: int = 0
    planned: Counter[str] = field(default_factory=Counter)
    """Faults by kind, as the plan has them."""
    faults: Counter[str] = field(default_factory=Counter)
    """Those that were done."""
    violations: list[str] = field(default_factory=list)
    longest_return_s: float = 0.0

    def add(self, other: Outcome) -> None:
        """Takes in what came of another leg."""
        self.games += other.games
        self.endings += other.endings
        self.actions += other.actions
        self.planned += other.planned
        self.faults += other.faults
        self.violations += other.violations
        self.longest_return_s = max(self.longest_return_s, other.longest_return_s)


@dataclass
class Leg:
    """`number` chooses the service, and with `seed` the faults."""

    number: int
    seed: int
    seconds: float
    folder: Path
    tell: Tell
    outcome: Outcome = field(default_factory=Outcome)

    def run(self) -> None:
        """Plays it, checks it, and leaves nothing running; `outcome` says what came of it."""
        self.folder.mkdir()
        title, make = VENUES[self.number % len(VENUES)]
        skew = self.folder / "skew"
        skew.mkdir()
        venue = make(self.folder, skewed(skew))
        try:
            venue.start()
            self.tell(f"leg {self.number}: {title}, seed {self.seed}, {self.seconds:.0f} s in {self.folder}")
            with (
                watched() as busy,
                starving(lambda: [worker.pid for worker in venue.workers()]) as hungry,
                fleet(venue.ports, self.folder, skewed(skew), self.seed) as bots,
            ):
                ledger = self.weather(Field(venue, bots, skew))
                self.fail(bots.leave())
            with closing(venue.client()) as client, api(f"127.0.0.1:{venue.ports[0]}") as calls:
                self.fail(settle(client))
                matches = finished(client)
                self.fail(keys_left(client, [name for name, _ in BOTS]))
                self.check(calls, matches, Course(read(self.folder), ledger, busy, hungry))
            self.fail(venue.stop())
        finally:
            venue.destroy()
        self.fail(tracebacks(sorted(self.folder.glob("*.log"))))

    def fail(self, words: Iterator[str] | Sequence[str]) -> None:
        """Notes violations."""
        for each in words:
            self.outcome.violations.append(f"leg {self.number}, seed {self.seed}: {each}")
            self.tell(f"VIOLATION {each}")

    def weather(self, ground: Field) -> list[Done]:
        """The storm, and the calm until everything is whole."""
        shape = replace(ground.venue.shape, bots=len(ground.fleet.members))
        storm = Storm(ground, plan(self.seed, self.seconds, shape), self.tell)
        self.outcome.planned += Counter(fault.kind for fault in storm.plan)
        storm.run(self.seconds)
        ground.venue.mend()
        ground.fleet.gather()
        self.outcome.faults += storm.counts
        self.fail(storm.failures)
        self.fail(ground.fleet.gone())
        return storm.ledger

    def check(self, calls: Api, matches: Mapping[str, Finished], course: Course) -> None:
        """All invariants over all matches, pairs and bots."""
        begun = time.monotonic()
        for kept in matches.values():
            self.count(kept)
            self.check_match(calls, kept, course)
        self.fail(pair_violations(matches.values(), calls.results()))
        self.fail(self.missing(matches, course.notes))
        self.fail(self.late(course.notes, course.ledger))
        self.tell(f"leg {self.number}: {len(matches)} matches checked in {time.monotonic() - begun:.1f} s")

    def count(self, kept: Finished) -> None:
        self.outcome.games += 1
        self.outcome.endings[str(kept.verdict.termination)] += 1
        self.outcome.actions += len(kept.entries)

    def check_match(self, calls: Api, kept: Finished, course: Course) -> None:
        """One match; what does not hold is told with what was done at that time."""
        found = list(violations(facts_of(calls, kept, course)))
        if found:
            from_ms, to_ms = kept.began_ms, kept.verdict.at_ms
            where = f"match {kept.header.match_id} ({kept.header.seats[0].bot}, {kept.header.seats[1].bot})"
            when = f"began {from_ms}, over after {(to_ms - from_ms) / 1000:.1f} s"
            done = [_since(from_ms, each) for each in course.ledger if _touches(each, from_ms, to_ms)]
            self.fail([f"{where} {when}: {words}; done: {', '.join(done)}" for words in found])

    def missing(self, matches: Mapping[str, Finished], notes: Mapping[str, BotNotes]) -> Iterator[str]:
        """Matches that a bot was told of and that are not there."""
        for bot, told in notes.items():
            for match_id in told.matches.keys() - matches.keys():
                yield f"{bot} was told of match {match_id}, which has no result"

    def late(self, notes: Mapping[str, BotNotes], ledger: Sequence[Done]) -> Iterator[str]:
        """Bots that did not find back to a service that was there."""
        for bot, told in notes.items():
            for done, seconds in returns(bot, ledger, told.welcomes):
                self.outcome.longest_return_s = max(self.outcome.longest_return_s, seconds)
                if seconds > LONGEST_RETURN_S:
                    yield f"{bot} took {seconds:.0f} s to come back after {done}"


def _touches(done: Done, from_ms: int, to_ms: int) -> bool:
    return done.from_ms < to_ms + NEAR_MS and done.until_ms > from_ms - NEAR_MS


def _since(from_ms: int, done: Done) -> str:
    begun, healed = ((at - from_ms) / 1000 for at in (done.from_ms, done.until_ms))
    return f"{done.kind} {done.who} {begun:+.1f}..{healed:+.1f} s"
