"""Golden playthroughs in short: a block a round, with hashes in the place of what is seen.

`state` shows what no player sees at the first decision of a round, only what differs from the round before;
`table` is what a spectator sees there, `sees` the hashes of the two seats' observations (their encoding).
`>` are the actions of the round, with those that the engine took by itself in brackets; `all` is one hash of
the legal actions and the two observations at every decision of the round.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from playthrough import PLAYTHROUGHS, Playthrough, Policy, Shown, builder, hidden, observed, uniform
from targi_engine import State, Words, action_name, new_game

_SHORT: Final = 16  # hex digits of a hash


@dataclass(frozen=True)
class RoundsPlaythrough(Playthrough):
    """A game in short; `rival` chooses for seat 1, `policy` for seat 0."""

    rival: Policy = uniform

    def lines(self) -> Iterator[str]:
        """The text, line by line."""
        state = new_game(self.ruleset, self.seed, self.opening, variants=self.variants)
        words = Words(self.seed, "policy")
        yield f"{self.ruleset} {self.variants or '(no variants)'}, cards {state.ruleset.cards_hash}"
        yield f"seed {self.seed.hex()}, opening {self.opening.hex() if self.opening else 'none'}"
        before: tuple[Shown, Shown] = ({}, {})
        while not state.is_over:
            now = (hidden(state), observed(state.observation(None)))
            yield f"{state.ply} round {state.round}, seat {state.current_seat}: {state.decision}"
            yield f"  state  {_changes(before[0], now[0])}"
            yield f"  table  {_changes(before[1], now[1])}"
            yield f"  sees   {_digest(_seen(state, 0))} {_digest(_seen(state, 1))}"
            yield from self._round(state, words)
            before = now
        outcome = state.outcome()
        yield f"{state.ply} over  sees {_digest(_seen(state, 0))} {_digest(_seen(state, 1))}"
        yield f"{outcome.result} {outcome.scores[0]}-{outcome.scores[1]}"
        yield from (f"  seat {seat} {parts._asdict()}" for seat, parts in enumerate(outcome.breakdown))

    def _round(self, state: State, words: Words) -> Iterator[str]:
        """Play on to the next round or the end."""
        number = state.round
        played: list[str] = []
        decisions = hashlib.sha256()
        while not state.is_over and state.round == number:
            legal = " ".join(map(action_name, state.legal_actions()))
            decisions.update(legal.encode() + _seen(state, 0) + _seen(state, 1))
            action = (self.policy, self.rival)[state.current_seat](state, words)
            state.apply(action)
            played.append(action_name(action))
            played += (f"({action_name(forced)})" for _, forced in state.forced)
        yield f"  >      {' '.join(played)}"
        yield f"  all    {decisions.hexdigest()[:_SHORT]}"


def _seen(state: State, seat: int) -> bytes:
    return state.encoded_observation(seat)


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:_SHORT]


def _changes(before: Shown, now: Shown) -> str:
    return "; ".join(f"{key}: {text}" for key, text in now.items() if before.get(key) != text) or "the same"


_BOTS: Final = ((builder, builder), (builder, uniform), (uniform, builder), (uniform, uniform))

# By ruleset the variants of its games in short: with those in full there are ten of each ruleset.
_VARIANTS: Final = {
    "base": ("", "", "", "", "unpayable_raid=flat3", "unpayable_raid=flat3", ""),
    "expansion": (
        "",
        "",
        "",
        "",
        "easy_start=yes",
        "targia_on_corners=yes",
        "unpayable_raid=flat3",
        "border.4=base,border.13=base",
        "easy_start=yes,targia_on_corners=yes",
    ),
    "mixed": (
        "",
        "",
        "",
        "",
        "targia_on_corners=yes",
        "easy_start=yes",
        "unpayable_raid=flat3",
        "border.4=base,border.13=base",
        "easy_start=yes,unpayable_raid=flat3",
    ),
}


def _in_short(ruleset: str, number: int, variants: str) -> RoundsPlaythrough:
    """A game that its ruleset and number fix: the seeds and who plays; odd ones have an opening."""
    name = f"{ruleset}-rounds-{number}"
    policy, rival = _BOTS[number % len(_BOTS)]
    seed, opening = (hashlib.sha256(f"{name} {what}".encode()).digest() for what in ("seed", "opening"))
    return RoundsPlaythrough(
        name, ruleset, seed, policy, opening if number % 2 else None, variants, rival=rival
    )


ALL_PLAYTHROUGHS: Final[tuple[Playthrough, ...]] = (
    *PLAYTHROUGHS,
    *(
        _in_short(ruleset, number, variants)
        for ruleset, table in _VARIANTS.items()
        for number, variants in enumerate(table, start=1)
    ),
)
