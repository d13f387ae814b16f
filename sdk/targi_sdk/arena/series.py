"""A series of games between two bots, one after the other or on several processes.

The games follow from the seed alone, so the records are the same however they are spread over processes.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from targi_engine import Ruleset

from targi_sdk.arena.blackbox import BlackBox
from targi_sdk.arena.clock import DEFAULT_TIME, TimeControl
from targi_sdk.arena.failure import Failure
from targi_sdk.arena.game import Game, Played
from targi_sdk.arena.match import DEFAULT_BOT_SEED, Player, play_match
from targi_sdk.arena.schedule import Fixture, schedule
from targi_sdk.arena.workers import kill, new_pool, processes_of, status
from targi_sdk.cards.own import PACKAGED_CARDS, OwnCards
from targi_sdk.errors import UsageError
from targi_sdk.specs import BotSpec
from targi_sdk.terminal.sitting import Person, sit

__all__ = ["GameResult", "Series", "check_series", "play_series"]


@dataclass(frozen=True, slots=True)
class Series:
    """Two bots and the games between them. It has only plain values, so it can go to other processes."""

    bots: tuple[str, str]
    """Specifications of the first and the second bot."""
    seed: bytes
    """The series seed, 32 bytes."""
    games: int
    ruleset: str = "base"
    variants: str = ""
    """In record notation."""
    mirrored: bool = False
    """Play each deal twice. Every game then gets new processes, so no bot can remember a deal."""
    control: TimeControl = DEFAULT_TIME
    jobs: int = 1
    """How many games run at once, each in a process of its own if more than one."""
    apart: bool = False
    """Play in another process also where one game runs at a time: a bot that ends it ends no more."""
    cards: OwnCards = PACKAGED_CARDS
    """Card files in place of the packaged sets."""

    @property
    def rules(self) -> Ruleset:
        """Ruleset, variants and cards. Raises `UnknownRuleset`, `UnknownVariant` and `CardFileError`."""
        return self.cards.ruleset(self.ruleset, self.variants)


@dataclass(frozen=True, slots=True)
class GameResult:
    """One game of a series as the first and the second bot see it; `Played` has the seats' view."""

    fixture: Fixture
    points: tuple[float, float]
    """Of the first and the second bot: 1, 0.5 or 0."""
    scores: tuple[int, int]
    """Victory points of the first and the second bot."""
    termination: str
    words: str
    failure: Failure
    """For the author of a bot that failed: what it raised, and where."""
    record: str
    """Text of the record."""


POINTS = {"1-0": (1.0, 0.0), "0-1": (0.0, 1.0), "1/2-1/2": (0.5, 0.5)}
"""Result to the points of seats 0 and 1."""


def play_series(series: Series) -> Iterator[GameResult]:
    """Play the games and yield them in the order of their numbers.

    Raises at once, not in the first game, over what cannot be played: `SpecError`, `UnknownRuleset`,
    `UnknownVariant`, `CardFileError`, and `UsageError` for a bot that does not play the ruleset.
    """
    check_series(series)
    return _play(series)


def check_series(series: Series) -> None:
    """Raise what `play_series` raises if the games of a series cannot be played."""
    name = series.rules.name
    for text in series.bots:
        bot = BotSpec.parse(text).make()
        if name not in bot.rulesets:
            raise UsageError(
                f"{text} does not play {name}: its rulesets are {', '.join(bot.rulesets)}; choose one of "
                f"them with --ruleset, or add {name!r} to `rulesets` of {type(bot).__name__}"
            )


def _play(series: Series) -> Iterator[GameResult]:
    fixtures = list(schedule(series.seed, series.games, mirrored=series.mirrored))
    if series.jobs == 1 and not (series.mirrored or series.apart):
        yield from (play_fixture(series, fixture) for fixture in fixtures)
        return
    yield from _in_processes(series, deque(fixtures))


def _in_processes(series: Series, left: deque[Fixture]) -> Iterator[GameResult]:
    """Play in processes. One that dies costs its own game only: the suspects are played again, alone."""
    while left:
        yield from _until_a_death(series, left)
        for _ in range(min(len(left), series.jobs)):
            yield _alone(series, left.popleft())


def _until_a_death(series: Series, left: deque[Fixture]) -> Iterator[GameResult]:
    """The games that are left, in their order, each taken off when it is over; ends early at a death."""
    pool = new_pool(series.jobs, fresh=series.mirrored)
    try:
        running = [pool.submit(play_fixture, series, fixture) for fixture in left]
        for future in running:
            result = future.result()
            left.popleft()
            yield result
    except BrokenProcessPool:
        return
    except BaseException:  # Ctrl-C, or nobody wants the games that are left: do not wait for a bot
        kill(pool)
        raise
    finally:
        pool.shutdown(cancel_futures=True)


def _alone(series: Series, fixture: Fixture) -> GameResult:
    """One game in a process of its own, with a black box: if that dies too, the game is told from the box."""
    with TemporaryDirectory() as directory:
        box = BlackBox(Path(directory) / "box")
        pool = new_pool(1)
        try:
            future = pool.submit(_play_recorded, series, fixture, box)
            processes = processes_of(pool)
            return future.result()
        except BrokenProcessPool:
            pool.shutdown()  # and only then the exit status is known for sure
            players = box.stand_ins(_players(series, fixture), status(processes[0].exitcode))
            return _result(fixture, play_match(_game(series, fixture), players))
        except BaseException:
            kill(pool)
            raise
        finally:
            pool.shutdown()


def _play_recorded(series: Series, fixture: Fixture, box: BlackBox) -> GameResult:
    one, other = map(box.recording, _players(series, fixture))
    return _result(fixture, play_match(_game(series, fixture), (one, other), series.control))


def play_fixture(series: Series, fixture: Fixture) -> GameResult:
    """Play one game of a series in this process."""
    game, players = _game(series, fixture), _players(series, fixture)
    if any(isinstance(player.bot, Person) for player in players):
        one, other = (_maker(series.bots[index]) for index in fixture.seats)
        return _result(fixture, sit(game, (one, other), series.control))
    return _result(fixture, play_match(game, players, series.control))


def _game(series: Series, fixture: Fixture) -> Game:
    return Game(series.rules, fixture.seed, fixture.opening)


def _players(series: Series, fixture: Fixture) -> tuple[Player, Player]:
    one, other = (_maker(series.bots[index])() for index in fixture.seats)
    return one, other


def _result(fixture: Fixture, played: Played) -> GameResult:
    points = POINTS[played.result]
    first, second = fixture.seats.index(0), fixture.seats.index(1)
    return GameResult(
        fixture=fixture,
        points=(points[first], points[second]),
        scores=(played.scores[first], played.scores[second]),
        termination=played.termination,
        words=played.words,
        failure=played.failure,
        record=played.record.text(),
    )


def _maker(text: str) -> Callable[[], Player]:
    """What makes new players of a specification."""
    spec = BotSpec.parse(text)
    new, seed = spec.maker(), DEFAULT_BOT_SEED if spec.seed is None else spec.seed
    return lambda: Player(new(), spec.name, seed)
