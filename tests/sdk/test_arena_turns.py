"""Turns of a game in process: their observation is made when a bot looks, and is that of the turn."""

from __future__ import annotations

import copy
import pickle

from targi_engine import Observation, Record, replay, ruleset
from targi_sdk.arena import Game, Player, play_match
from targi_sdk.bot import Action, Bot, Turn

SEED = bytes(range(32))
GAME = Game(ruleset("mixed"), SEED, bytes(32))


class Keeper(Bot):
    """Keeps its turns, or copies of them, and looks at none."""

    def __init__(self, *, copied: bool = False) -> None:
        self.turns: list[Turn] = []
        self.copied = copied

    def choose(self, turn: Turn) -> Action:
        self.turns.append(pickle.loads(pickle.dumps(turn)) if self.copied else turn)
        return turn.rng.choice(turn.legal)


def played(**options: bool) -> tuple[Record, Keeper]:
    keeper = Keeper(**options)
    return play_match(GAME, (Player(keeper, "one"), Player(Keeper(), "other"))).record, keeper


def expected(record: Record, turn: Turn) -> Observation:
    actions = [action for action, _ in record.actions[: turn.ply]]
    return replay(GAME.ruleset, GAME.seed, GAME.opening, actions).observation(turn.seat)


def test_a_turn_that_is_looked_at_after_the_game_shows_its_own_position() -> None:
    record, keeper = played()
    for turn in keeper.turns[::20]:
        assert turn.observation == expected(record, turn)
        assert turn.observation is turn.observation
        assert turn.decision == turn.observation.decision


def test_a_turn_can_be_sent_to_another_process() -> None:
    record, keeper = played(copied=True)
    for turn in keeper.turns[::20]:
        assert turn.observation == expected(record, turn)
        assert copy.deepcopy(turn).legal == turn.legal


def test_a_record_of_a_game_just_played_is_that_of_its_replay() -> None:
    record, _ = played()
    actions = [action for action, _ in record.actions]
    tags = {f"Seat{seat}": record.tags[f"Seat{seat}"] for seat in (0, 1)}
    again = Record.of_game(GAME.ruleset, GAME.seed, GAME.opening, actions, tags=tags)
    assert record.text() == again.text()
