"""A game as a log that people can read: one line an own turn."""

from __future__ import annotations

from collections.abc import Iterator

from targi_engine.actions import action_name
from targi_engine.goods import KINDS
from targi_engine.provenance import LEGEND, house_cards, marked
from targi_engine.record import Record
from targi_engine.ruleset import Ruleset, ruleset
from targi_engine.scoring import Breakdown
from targi_engine.state import State
from targi_engine.trace import centre_names


def show(record: Record, rules: Ruleset | None = None) -> Iterator[str]:
    """The lines of a log, without line breaks; what the engine took by itself stands in brackets.

    Raises RecordVersionError, and RecordActionError at an action that is not legal.
    """
    log = _Log(record)
    states = record.states(rules)
    state = next(states)
    yield from log.title(state)
    yield from log.round(state)
    log.took(state.forced)
    for action, _ in record.actions:
        yield from log.before(state)
        log.took(((state.current_seat, action),), forced=False)
        state = next(states)
        log.took(state.forced)
        yield from log.round(state)
    yield from log.flush(state)
    yield from log.end(state)


class _Log:
    """Collects the actions of an own turn until the next one begins."""

    __slots__ = ("actions", "house", "record", "round_no", "seat", "turn")

    def __init__(self, record: Record) -> None:
        self.record = record
        self.house: frozenset[str] = frozenset()
        self.round_no = 0
        self.turn = 0
        self.seat = -1
        self.actions: list[str] = []

    def title(self, state: State) -> Iterator[str]:
        """Ruleset and players; then what marked cards are, and whether the cards are one's own."""
        self.house = house_cards(state.ruleset)
        tags = self.record.tags
        seats = " - ".join(tags.get(f"Seat{seat}", f"seat {seat}") for seat in (0, 1))
        variants = f" ({state.ruleset.variants})" if state.ruleset.variants else ""
        yield f"{state.ruleset.name}{variants}: {seats}"
        if self.house:
            yield LEGEND
        rules = state.ruleset
        if rules != ruleset(rules.name, rules.variants):
            yield f"cards of one's own: {' and '.join(cards.where for cards in rules.sets)}"

    def round(self, state: State) -> Iterator[str]:
        """A heading when a new round has begun."""
        if state.round == self.round_no:
            return
        yield from self.flush(state)
        self.round_no = state.round
        cells = " ".join(marked(name or "-", self.house) for name in centre_names(state))
        yield f"Round {state.round}: seat {state.first} first, Robber on {state.robber}, centre {cells}"

    def before(self, state: State) -> Iterator[str]:
        """The line of the turn that is over, when another has begun."""
        if state.turn != self.turn:
            yield from self.flush(state)
            self.turn = state.turn

    def took(self, actions: tuple[tuple[int, int], ...], *, forced: bool = True) -> None:
        """Note actions; a forced one of the other seat is marked with it."""
        for seat, action in actions:
            if not self.actions:
                self.seat = seat
            name = action_name(action) if seat == self.seat else f"{seat}:{action_name(action)}"
            self.actions.append(f"[{name}]" if forced else name)

    def flush(self, state: State) -> Iterator[str]:
        """The line of the actions noted, with what the seat holds after them."""
        if self.actions:
            yield f"  seat {self.seat}: {' '.join(self.actions)}{self._stock(state)}"
            self.actions = []

    def _stock(self, state: State) -> str:
        if self.actions[0].startswith("@"):
            return ""
        holds = zip(KINDS, state.players[self.seat].stock, strict=True)
        return "  (" + (" ".join(f"{count} {kind}" for kind, count in holds if count) or "nothing") + ")"

    def end(self, state: State) -> Iterator[str]:
        """Result, scores, and where they come from."""
        tags = self.record.tags
        outcome = state.outcome()
        one, other = outcome.scores
        yield f"{self.record.result} ({self.record.termination}), score {one}-{other}"
        if self.record.culprit != "none":
            yield f"  to blame: {tags['Culprit']}"
        for seat, parts in enumerate(outcome.breakdown):
            yield f"  seat {seat}: {_sum(parts)}"


def _sum(parts: Breakdown) -> str:
    return " + ".join(f"{vp} {part}" for part, vp in parts._asdict().items()) + f" = {parts.total}"
