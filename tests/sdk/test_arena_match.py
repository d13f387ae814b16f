"""Games in process: the turns that bots get, and how a game ends."""

from __future__ import annotations

import asyncio
import hashlib
import time
from collections.abc import Awaitable, Callable
from random import Random

import pytest
from targi_bots.greedy import GreedyBot
from targi_bots.random_bot import RandomBot
from targi_engine import Observation, new_game, replay, ruleset, verify
from targi_sdk.arena import NO_CLOCKS, Game, Played, Player, TimeControl, play_match
from targi_sdk.bot import Action, Bot, Choice, End, Start, Turn

SEED = bytes(range(32))
OPENING = bytes(range(32, 64))
GAME = Game(ruleset("base"), SEED, OPENING)


class Notebook(RandomBot):
    """A random bot that keeps what it was told."""

    def __init__(self) -> None:
        self.starts: list[Start] = []
        self.turns: list[Turn] = []
        self.ends: list[End] = []

    def on_start(self, start: Start) -> None:
        self.starts.append(start)

    def choose(self, turn: Turn) -> Action:
        self.turns.append(turn)
        return super().choose(turn)

    def on_end(self, end: End) -> None:
        self.ends.append(end)


class AsyncRandom(Bot):
    """Picks as `RandomBot` does, but asynchronously."""

    async def choose(self, turn: Turn) -> Action:
        await asyncio.sleep(0)
        return turn.rng.choice(turn.legal)


class At(RandomBot):
    """A random bot that does something else at its third turn."""

    def __init__(self, third: Callable[[Turn], Choice | Awaitable[Choice]]) -> None:
        self.turns = 0
        self.third = third

    def choose(self, turn: Turn) -> Action:
        self.turns += 1
        if self.turns == 3:
            return self.third(turn)  # type: ignore[return-value]  # what a careless bot may return
        return super().choose(turn)


def play(first: Bot, second: Bot, control: TimeControl = NO_CLOCKS) -> Played:
    return play_match(GAME, (Player(first, "ada"), Player(second, "bob", SEED)), control)


def test_a_game_is_played_to_its_end_and_its_record_verifies() -> None:
    played = play(RandomBot(), RandomBot())
    verify(played.record)
    state = replay(GAME.ruleset, SEED, OPENING, [action for action, _ in played.record.actions])
    assert state.is_over
    assert (played.result, played.scores) == (state.outcome().result, state.outcome().scores)
    assert (played.termination, played.culprit, played.failure.line) == ("normal", "none", "")


def test_the_record_names_the_bots_with_their_versions() -> None:
    tags = play(RandomBot(), RandomBot()).record.tags
    assert (tags["Seat0"], tags["Seat1"]) == ("ada 1.0", "bob 1.0")
    assert (tags["Seed"], tags["Opening"]) == (SEED.hex(), OPENING.hex())


def test_the_same_game_is_played_the_same() -> None:
    assert play(RandomBot(), RandomBot()).record.text() == play(RandomBot(), RandomBot()).record.text()


def test_a_turn_has_the_observation_of_its_seat_and_the_legal_actions() -> None:
    bots = Notebook(), Notebook()
    played = play(*bots)
    state = new_game(GAME.ruleset, SEED, OPENING)
    turns = sorted((*bots[0].turns, *bots[1].turns), key=lambda turn: turn.ply)
    for turn, (action, _) in zip(turns, played.record.actions, strict=True):
        assert (turn.seat, turn.ply, turn.legal) == (state.current_seat, state.ply, state.legal_actions())
        assert turn.observation == state.observation(turn.seat)
        assert (turn.match_id, turn.opponent) == (GAME.match_id, ("bob", "ada")[turn.seat])
        state.apply(action)


def test_the_random_source_follows_from_bot_seed_commitment_and_seat() -> None:
    bot = Notebook()
    played = play(RandomBot(), bot)
    rng = Random(hashlib.sha256(SEED + hashlib.sha256(SEED).digest() + b"1\0").digest())
    chosen = {turn.ply: rng.choice(turn.legal) for turn in bot.turns}
    assert all(played.record.actions[ply][0] == action for ply, action in chosen.items())


def test_a_bot_is_told_of_start_and_end() -> None:
    bot = Notebook()
    played = play(bot, RandomBot(), TimeControl(60_000, 1_000))
    commitment = hashlib.sha256(SEED).digest()
    assert bot.starts == [
        Start(GAME.match_id, 0, "bob", "base", "", commitment, 60_000, 1_000),
    ]
    end = bot.ends[0]
    assert (end.result, end.termination, end.scores) == (played.result, "normal", played.scores)
    assert len(bot.ends) == 1


def test_an_async_bot_plays_like_its_twin() -> None:
    assert play(AsyncRandom(), RandomBot()).record.actions == play(RandomBot(), RandomBot()).record.actions


def fail(turn: Turn) -> Choice:
    raise ValueError(f"no idea at ply {turn.ply}")


async def fail_later(turn: Turn) -> Choice:
    raise ValueError(f"no idea at ply {turn.ply}")


@pytest.mark.parametrize(
    ("third", "words"),
    [
        (fail, "ValueError: no idea at ply"),
        (fail_later, "ValueError: no idea at ply"),
        (lambda turn: None, "`choose` returned None"),
        (lambda turn: "hop", "which is no action"),
        (lambda turn: 10_000, "there is none of that number"),
        (lambda turn: next(a for a in range(100) if a not in turn.legal), "is not legal"),
    ],
)
def test_a_bot_that_fails_loses(third: Callable[[Turn], Choice], words: str) -> None:
    played = play(RandomBot(), At(third))
    assert (played.result, played.termination, played.culprit) == ("1-0", "bot_error", "1")
    assert words in played.failure.line
    assert "seat 1 failed at ply" in played.words
    verify(played.record)


def forge(turn: Turn) -> Choice:
    """Write an action into the own turn, and pass for the other seat at another ply."""
    turn.legal = (*turn.legal, UNTOLD)
    turn.seat, turn.ply = 1 - turn.seat, 99
    return UNTOLD


UNTOLD = 37
"""An action that is not legal at the third turn."""


def test_what_a_bot_writes_into_its_turn_makes_nothing_legal_and_blames_nobody_else() -> None:
    played = play(At(forge), RandomBot())
    assert (played.result, played.termination, played.culprit) == ("0-1", "bot_error", "0")
    assert "action 37" in played.failure.line and "is not legal" in played.failure.line
    assert "99" not in played.words
    verify(played.record)


def test_the_place_of_a_failure_is_named() -> None:
    place = f"({__file__}, line {fail.__code__.co_firstlineno + 1})"
    assert place in play(At(fail), RandomBot()).failure.line


def test_the_opponent_of_a_failed_bot_learns_the_result_but_not_the_error() -> None:
    opponent = Notebook()
    play(opponent, At(fail))
    end = opponent.ends[0]
    assert (end.result, end.termination, end.culprit) == ("1-0", "bot_error", "1")
    assert "no idea" not in end.words


def test_a_bot_that_fails_in_on_start_loses_before_the_first_ply() -> None:
    class Unready(RandomBot):
        def on_start(self, start: Start) -> None:
            raise RuntimeError("no model")

    played = play(Unready(), RandomBot())
    assert (played.result, played.termination, played.record.actions) == ("0-1", "bot_error", [])
    assert "RuntimeError: no model" in played.failure.line


def test_a_bot_that_fails_in_on_end_changes_nothing(caplog: pytest.LogCaptureFixture) -> None:
    class Sore(RandomBot):
        def on_end(self, end: End) -> None:
            raise RuntimeError("unfair")

    assert play(Sore(), RandomBot()).termination == "normal"
    assert "on_end of ada raised" in caplog.text


def test_the_clock_ends_a_game() -> None:
    def think(turn: Turn) -> Action:
        while time.monotonic() <= turn.deadline:
            pass
        return turn.legal[0]

    played = play(At(think), RandomBot(), TimeControl(50, 0))
    assert (played.result, played.termination, played.culprit) == ("0-1", "time", "0")
    verify(played.record)


def test_clocks_and_deadline_are_told_and_grow_with_each_own_turn() -> None:
    bot = Notebook()
    play(bot, RandomBot(), TimeControl(600_000, 60_000))
    first, second = bot.turns[:2]
    assert first.clock_ms == first.opponent_clock_ms == 600_000
    assert 650_000 < second.clock_ms <= 660_000
    assert first.deadline < second.deadline < float("inf")


def test_a_failure_is_reported_with_the_turn_and_the_way_through_the_bots_code() -> None:
    report = play(At(fail), RandomBot()).failure.report
    assert report.startswith("ply ")
    assert ", legal: " in report
    assert "in choose" in report
    assert report.endswith("ValueError: no idea at ply " + report.split()[1].rstrip(","))
    view = report.split("bytes.fromhex('")[1].partition("'")[0]
    assert Observation.decode(bytes.fromhex(view)).legal


def test_a_bot_that_exits_loses_its_game_only() -> None:
    def leave(turn: Turn) -> Choice:
        raise SystemExit(3)

    played = play(RandomBot(), At(leave))
    assert (played.termination, played.culprit) == ("bot_error", "1")
    assert "SystemExit: 3" in played.failure.line


def test_a_decoded_view_leads_to_the_same_moves() -> None:
    class Remote(GreedyBot):
        def choose(self, turn: Turn) -> Action:
            turn.observation = Observation.decode(turn.observation.encode())
            return super().choose(turn)

    local, remote = play(GreedyBot(), RandomBot()), play(Remote(), RandomBot())
    assert local.record.actions == remote.record.actions
