"""One game between two bots in this process.

The bots get the turns that the service would give them: the observation of their seat, the legal actions, the
clocks, and the random source that follows from bot seed, commitment and seat. A bot that raises, or returns
what is no legal action, loses the game.
"""

from __future__ import annotations

import asyncio
import inspect
import logging
import time
from dataclasses import dataclass, field
from functools import partial

from targi_engine import Observation, Record, State, new_game, replay

from targi_sdk.arena.clock import NO_CLOCKS, Clocks, TimeControl
from targi_sdk.arena.failure import FAULTS, NO_FAILURE, Failure, failure_of
from targi_sdk.arena.game import Game, Played
from targi_sdk.bot import Action, Bot, End, Start, Turn, action_of, turn_rng

__all__ = ["DEFAULT_BOT_SEED", "Player", "play_match", "run_match"]

log = logging.getLogger(__name__)

DEFAULT_BOT_SEED = bytes(32)
"""Bot seed where none was given: a game in process is the same each time it is played."""

WON_BY = ("1-0", "0-1")
"""Result by the seat that wins."""


@dataclass(frozen=True, slots=True)
class Player:
    """A bot on a seat. The bot must be new: one object plays one seat of one game."""

    bot: Bot
    name: str
    seed: bytes = field(default=DEFAULT_BOT_SEED, repr=False)
    """The bot seed, 32 bytes."""

    @property
    def title(self) -> str:
        """Name and version, as records give them."""
        return f"{self.name} {self.bot.version}"


def play_match(game: Game, players: tuple[Player, Player], control: TimeControl = NO_CLOCKS) -> Played:
    """Play a game to its end. Not for use inside a running event loop: await `run_match` there."""
    return asyncio.run(run_match(game, players, control))


async def run_match(game: Game, players: tuple[Player, Player], control: TimeControl = NO_CLOCKS) -> Played:
    """Play a game to its end; `choose` of a bot without `async` blocks the event loop while it computes."""
    return await _Match(game, players, control).play()


class _Forfeit(Exception):  # noqa: N818 - it ends a game, it is no error of this package
    """The game is over because of a seat."""

    def __init__(self, seat: int, termination: str, words: str, failure: Failure = NO_FAILURE) -> None:
        super().__init__(words)
        self.seat = seat
        self.termination = termination
        self.failure = failure


class _Match:
    """A running game."""

    def __init__(self, game: Game, players: tuple[Player, Player], control: TimeControl) -> None:
        self._game = game
        self._players = players
        self._control = control
        self._clocks = Clocks(control)
        self._state = new_game(game.ruleset, game.seed, game.opening)
        self._rngs = [turn_rng(player.seed, game.commitment, seat) for seat, player in enumerate(players)]
        self._actions: list[Action] = []
        self._rounds: list[int] = []

    async def play(self) -> Played:
        try:
            self._start()
            while not self._state.is_over:
                await self._step()
            played = self._played(self._state.outcome().result, "normal", "none", "played to the end")
        except _Forfeit as forfeit:
            seat = forfeit.seat
            words = str(forfeit)
            played = self._played(WON_BY[1 - seat], forfeit.termination, str(seat), words, forfeit.failure)
        self._end(played)
        return played

    def _start(self) -> None:
        for seat, player in enumerate(self._players):
            try:
                player.bot.on_start(self._start_of(seat))
            except FAULTS as error:
                raise _failed(seat, "in on_start", failure_of(error)) from error

    def _start_of(self, seat: int) -> Start:
        ruleset = self._game.ruleset
        return Start(
            match_id=self._game.match_id,
            seat=seat,
            opponent=self._players[1 - seat].name,
            ruleset=ruleset.name,
            variants=ruleset.variants,
            commitment=self._game.commitment,
            base_ms=self._control.base_ms,
            increment_ms=self._control.increment_ms,
        )

    async def _step(self) -> None:
        state = self._state
        seat, own_turn, begun = state.current_seat, state.turn, time.monotonic()
        self._rounds.append(state.round)
        action = await self._choice(seat, begun)
        if not self._clocks.charge(seat, time.monotonic() - begun):
            raise _Forfeit(seat, "time", f"the clock of seat {seat} ran out {_place(state)}")
        state.apply_unchecked(action)
        self._actions.append(action)
        if state.turn != own_turn:
            self._clocks.end_turn(seat)

    def _turn(self, seat: int, now: float) -> Turn:
        state = self._state
        return Turn(
            self._game.match_id,
            seat,
            state.ply,
            state.legal_actions(),
            partial(self._observe, seat, state.ply),
            self._rngs[seat],
            decision=state.decision,
            opponent=self._players[1 - seat].name,
            clock_ms=self._clocks.left_ms(seat),
            opponent_clock_ms=self._clocks.left_ms(1 - seat),
            deadline=self._clocks.deadline(seat, now),
        )

    def _observe(self, seat: int, ply: int) -> Observation:
        """What a seat may know at a ply; a bot may look at a turn when the game has gone on since."""
        game, state = self._game, self._state
        if state.ply != ply:
            state = replay(game.ruleset, game.seed, game.opening, self._actions[:ply])
        return state.observation(seat)

    async def _choice(self, seat: int, begun: float) -> Action:
        """The bot's choice, judged and told of by what is kept here: the bot may write into its turn."""
        turn = self._turn(seat, begun)
        legal = turn.legal
        try:
            choice = self._players[seat].bot.choose(turn)
            choice = await choice if inspect.isawaitable(choice) else choice
            return action_of(legal, self._state.decision, choice)
        except FAULTS as error:
            failure = failure_of(error, self._turn(seat, begun))
            raise _failed(seat, _place(self._state), failure) from error

    def _played(
        self, result: str, termination: str, culprit: str, words: str, failure: Failure = NO_FAILURE
    ) -> Played:
        record = Record.of_played(
            self._state,
            self._actions,
            self._rounds[: len(self._actions)],
            tags={f"Seat{seat}": player.title for seat, player in enumerate(self._players)},
            termination=termination,
            culprit=culprit,
            result=result,
        )
        outcome = self._state.outcome()
        return Played(result, termination, culprit, outcome.scores, words, failure, record, outcome.breakdown)

    def _end(self, played: Played) -> None:
        """Tell both bots. The game is over by now: a bot that raises here changes nothing."""
        for seat, player in enumerate(self._players):
            try:
                player.bot.on_end(_end_of(self._game.match_id, seat, played))
            except FAULTS:
                log.exception("on_end of %s raised", player.name)


def _end_of(match_id: str, seat: int, played: Played) -> End:
    return End(match_id, seat, played.result, played.termination, played.culprit, played.scores, played.words)


def _place(state: State) -> str:
    return f"at ply {state.ply} (decision {state.decision})"


def _failed(seat: int, place: str, failure: Failure) -> _Forfeit:
    return _Forfeit(seat, "bot_error", f"the bot on seat {seat} failed {place}", failure)
