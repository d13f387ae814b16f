"""What holds in every game, whatever is played: hypothesis plays, in all rulesets."""

from __future__ import annotations

import random

import pytest
from card_count import check_decision, check_limits, check_table, whereabouts
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from prolonging import prolong
from targi_engine import (
    ACTIONS,
    IllegalAction,
    Record,
    State,
    action_id,
    action_name,
    new_game,
    replay,
    ruleset,
    verify,
)
from targi_engine.length import MOST_DECISIONS

RULESETS = (
    ("base", ""),
    ("base", "unpayable_raid=flat3"),
    ("expansion", ""),
    ("expansion", "easy_start=yes,targia_on_corners=yes"),
    ("mixed", ""),
    ("mixed", "border.13=base"),
)
SEEDS = st.binary(min_size=32, max_size=32)
# A player who likes these plays more of the game than one who picks at random.
LIKED = tuple(action_id(name) for name in ("row1", "row2", "row3", "done", "keep"))


def pick(state: State, rng: random.Random) -> int:
    """An action, often one that lays a card."""
    legal = state.legal_actions()
    liked = [action for action in legal if action in LIKED]
    if liked and rng.random() < 0.7:
        return rng.choice(liked)
    return rng.choice(legal)


class Game(RuleBasedStateMachine):
    """A game that is played on, copied, and asked for the impossible."""

    @initialize(rules=st.sampled_from(RULESETS), seed=SEEDS, opening=st.none() | SEEDS)
    def deal(self, rules: tuple[str, str], seed: bytes, opening: bytes | None) -> None:
        self.played = ruleset(*rules)
        self.seed, self.opening = seed, opening
        self.state = new_game(self.played, seed, opening)
        self.cards = whereabouts(self.state)
        self.actions: list[int] = []

    def apply(self, action: int) -> None:
        self.state.apply(action)
        self.actions.append(action)
        check_decision(self.state)
        check_table(self.state)
        check_limits(self.state)
        assert self.state.ply <= MOST_DECISIONS
        assert whereabouts(self.state) == self.cards

    @precondition(lambda self: not self.state.is_over)
    @rule(choice=st.integers(0, 200))
    def choose(self, choice: int) -> None:
        legal = self.state.legal_actions()
        self.apply(legal[choice % len(legal)])

    @rule(rng=st.randoms(use_true_random=False), decisions=st.integers(5, 40))
    def play_on(self, rng: random.Random, decisions: int) -> None:
        for _ in range(decisions):
            if not self.state.is_over:
                self.apply(pick(self.state, rng))

    @rule(rng=st.randoms(use_true_random=False), decisions=st.integers(20, 400))
    def prolong(self, rng: random.Random, decisions: int) -> None:
        for _ in range(decisions):
            if not self.state.is_over:
                cards = self.state.players[self.state.current_seat].powers.cards
                self.apply(prolong(self.state.legal_actions(), cards, self.state.round, rng))

    @rule(action=st.integers(-3, len(ACTIONS) + 2))
    def try_anything(self, action: int) -> None:
        """An illegal action is refused and changes nothing."""
        if action in self.state.legal_actions():
            return
        before = self.state.observation(None)
        with pytest.raises(IllegalAction):
            self.state.apply(action)
        assert self.state.observation(None) == before

    @precondition(lambda self: not self.state.is_over)
    @rule(choice=st.integers(0, 200))
    def play_a_copy(self, choice: int) -> None:
        """What is played on a copy changes the copy only, and does what it does on the original."""
        before = self.state.observation(None)
        action = self.state.legal_actions()[choice % len(self.state.legal_actions())]
        one, other = self.state.clone(), self.state.clone()
        one.apply(action)
        assert self.state.observation(None) == before
        other.apply_unchecked(action)
        assert one.observation(None) == other.observation(None)

    @invariant()
    def names_read_back(self) -> None:
        for action in self.state.legal_actions():
            assert action_id(action_name(action)) == action

    def teardown(self) -> None:
        """The actions replay to the same state, and the record of them is accepted."""
        if not hasattr(self, "actions"):
            return
        again = replay(self.played, self.seed, self.opening, self.actions)
        assert again.observation(None) == self.state.observation(None)
        result = None if self.state.is_over else "*"
        record = Record.of_game(self.played, self.seed, self.opening, self.actions, result=result)
        assert verify(Record.parse(record.text())).plies == len(self.actions)


Game.TestCase.settings = settings(
    max_examples=100,
    stateful_step_count=25,
    deadline=None,
    phases=(Phase.explicit, Phase.reuse, Phase.generate),  # shrinking a game takes minutes
    suppress_health_check=list(HealthCheck),
)
TestGame = Game.TestCase


@pytest.mark.parametrize(("name", "variants"), RULESETS, ids=[" ".join(row) for row in RULESETS])
def test_games_end_within_bounds(name: str, variants: str) -> None:
    """B3.3 a legal card always exists; B8.2 at most twelve rounds; no game has more than 4,000 decisions."""
    rules = ruleset(name, variants)
    for number in range(12):
        rng = random.Random(number)
        state = new_game(rules, bytes([number] * 32))
        cards = whereabouts(state)
        while not state.is_over:
            state.apply(pick(state, rng))
            check_decision(state)
            check_table(state)
            check_limits(state)
        assert whereabouts(state) == cards
        assert state.end_reason in (1, 2)
