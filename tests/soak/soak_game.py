"""One game of the soak: reference bots, or one that makes it long, play it, and every position is checked."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Final

from card_count import check_decision, check_limits, check_table, whereabouts
from long_bot import LongBot
from targi_bots.builder import BuilderBot
from targi_bots.greedy import GreedyBot
from targi_bots.random_bot import RandomBot
from targi_engine import Observation, Record, new_game, playout, replay, ruleset, verify
from targi_engine.length import MOST_DECISIONS
from targi_sdk.bot import Bot, Turn

BOTS: Final[Mapping[str, type[Bot]]] = {
    "random": RandomBot,
    "builder": BuilderBot,
    "greedy": GreedyBot,
    "long": LongBot,
}
# Random ones reach the most positions a second, the others positions of games that are played well.
PAIRINGS: Final = (
    *(("random", "random"), ("builder", "builder"), ("random", "builder"), ("builder", "random")),
    *(("random", "random"), ("builder", "builder"), ("greedy", "random"), ("builder", "greedy")),
    *(("long", "long"), ("long", "builder")),
)
# Each pairing is played with each of these in turn.
VARIANTS: Final[Mapping[str, tuple[str, ...]]] = {
    "base": ("", "", "unpayable_raid=flat3"),
    "expansion": ("", "", "easy_start=yes,targia_on_corners=yes"),
    "mixed": ("", "", "border.13=base"),
}
SAMPLED: Final = 0.05
"""Share of the decisions at which guesses of the hidden cards are looked at."""
SEATS: Final = (0, 1, None)


class SoakGame:
    """The game of a number: the same seed, ruleset and number always give the same one."""

    def __init__(self, name: str, number: int, seed: int) -> None:
        self._rng = random.Random(f"{seed} {name} {number}")
        turn, pairing = divmod(number, len(PAIRINGS))
        self.rules = ruleset(name, VARIANTS[name][turn % len(VARIANTS[name])])
        self.seed = self._rng.randbytes(32)
        self.opening = self._rng.randbytes(32) if self._rng.random() < 0.5 else None
        self.names = PAIRINGS[pairing]
        self.actions: list[int] = []
        self.rounds: list[int] = []
        self._bots = [BOTS[bot]() for bot in self.names]
        self._state = new_game(self.rules, self.seed, self.opening)
        self._cards = whereabouts(self._state)

    def play(self) -> int:
        """Play to the end; returns the number of decisions. Raises where something does not hold."""
        state = self._state
        self._check()
        while not state.is_over:
            action = self._choice()
            self.actions.append(action)
            self.rounds.append(state.round)
            state.apply(action)
            self._check()
        self._check_record()
        return state.ply

    def record(self) -> str:
        """What was played, as a record without score and result: it does not ask the state for anything."""
        tags = Record.of_game(self.rules, self.seed, self.opening, (), result="*").tags
        del tags["Score"]
        return Record(tags, [(action, None) for action in self.actions], self.rounds).text()

    def _choice(self) -> int:
        state, seat = self._state, self._state.current_seat
        legal = state.legal_actions()
        turn = Turn("soak", seat, state.ply, legal, self._view, self._rng, decision=state.decision)
        action = self._bots[seat].choose(turn)
        assert isinstance(action, int)
        return action

    def _view(self) -> Observation:
        return self._state.observation(self._state.current_seat)

    def _check(self) -> None:
        assert self._state.ply <= MOST_DECISIONS
        check_decision(self._state)
        check_table(self._state)
        check_limits(self._state)
        assert whereabouts(self._state) == self._cards, "a card was lost or doubled"
        if self._rng.random() < SAMPLED:
            self._check_guess()

    def _check_guess(self) -> None:
        """A guess of the hidden cards looks the same to everyone, has as many cards, and can be played."""
        state = self._state
        view = state.observation(self._rng.choice(SEATS))
        assert Observation.decode(view.encode()) == view, "an observation is not read back"
        guess = view.determinize(self._rng)
        assert guess.legal_actions() == state.legal_actions(), "a guess has other legal actions"
        for seat in SEATS:
            assert guess.observation(seat) == state.observation(seat), "a guess looks different"
        assert whereabouts(guess).total() == self._cards.total(), "a guess has more or fewer cards"
        assert self.rules.mixed or whereabouts(guess) == self._cards, "a guess has other cards"
        playout(guess, self._rng)
        check_table(guess)

    def _check_record(self) -> None:
        """The record is read back, accepted, and replays to the same state."""
        state = self._state
        record = Record.of_played(state, self.actions, self.rounds)
        read = Record.parse(record.text())
        assert read.text() == record.text(), "the record is not read back"
        checked = verify(read)
        assert checked.over, "the record ends before its game"
        assert checked.outcome == state.outcome(), "the record has another outcome"
        again = replay(self.rules, self.seed, self.opening, self.actions)
        assert again.observation(None) == state.observation(None), "the replay ends differently"
