"""One bot on one seat of one match, in this process or in a worker."""

from __future__ import annotations

import inspect
import traceback
from collections.abc import Awaitable, Callable, Coroutine
from types import TracebackType

from targi_engine import action_name

from targi_sdk.bot import Bot, End, Start, Turn, action_of, turn_rng
from targi_sdk.client.questions import Answer, Failure, Question, Reply
from targi_sdk.errors import ChoiceError

__all__ = ["Factory", "Seat"]

Factory = Callable[[], Bot]
"""Makes the bot of one match; it can be pickled: a class of a module, or the `make` of a `BotSpec`."""

FAULTS = (Exception, SystemExit)
"""What a bot's code may raise without stopping this process: `sys.exit()` in a bot ends its match only."""


class Seat:
    """Holds the bot and turns questions into replies. Whatever the bot's code raises becomes a `Failure`."""

    def __init__(self, factory: Factory, start: Start, bot_seed: bytes) -> None:
        self._factory = factory
        self._start = start
        self._rng = turn_rng(bot_seed, start.commitment, start.seat)
        self._bot: Bot | None = None

    def open(self) -> Failure | None:
        """Make the bot and tell it that the match starts."""
        try:
            self._bot = self._factory()
            self._bot.on_start(self._start)
        except FAULTS as error:
            return self._failure(error, f"the bot does not start: {_line(error)}")
        return None

    def close(self, end: End) -> Failure | None:
        """Tell the bot that the match is over. A failure here costs nothing any more."""
        if self._bot is None:
            return None
        try:
            self._bot.on_end(end)
        except FAULTS as error:
            return self._failure(error, f"`on_end` raised {_line(error)}")
        return None

    def ask(self, question: Question) -> Reply | Coroutine[None, None, Reply]:
        """Let the bot choose: the reply, or for an `async def choose` the coroutine that yields it."""
        if self._bot is None:
            return self._failure(None, "the bot did not start", question=question)
        try:
            choice = self._bot.choose(self._turn(question))
        except FAULTS as error:
            return self._failure(error, f"`choose` raised {_line(error)}", question=question)
        return (
            self._later(question, choice) if inspect.isawaitable(choice) else self._checked(question, choice)
        )

    async def _later(self, question: Question, choice: Awaitable[object]) -> Reply:
        try:
            chosen = await choice
        except FAULTS as error:
            return self._failure(error, f"`choose` raised {_line(error)}", question=question)
        return self._checked(question, chosen)

    def _checked(self, question: Question, choice: object) -> Reply:
        try:
            action = action_of(question.legal, question.decision, choice)
            return Answer(question.match_id, question.ply, action, question.number)
        except ChoiceError as error:
            return self._failure(None, str(error), question=question)

    def _turn(self, question: Question) -> Turn:
        return Turn(
            question.match_id,
            self._start.seat,
            question.ply,
            question.legal,
            question.view,
            self._rng,
            decision=question.decision,
            opponent=self._start.opponent,
            clock_ms=question.clock_ms,
            opponent_clock_ms=question.opponent_clock_ms,
            deadline=question.deadline,
        )

    def _failure(
        self, error: BaseException | None, words: str, *, question: Question | None = None
    ) -> Failure:
        lines = [f"match {self._start.match_id}, seat {self._start.seat}, against {self._start.opponent}"]
        if question is not None:
            lines += describe(question)
        if error is not None:
            lines += _trace(error)
        return Failure(
            self._start.match_id, -1 if question is None else question.ply, words, "\n".join(lines)
        )


def describe(question: Question) -> list[str]:
    """A turn in lines that an author can read, and paste to get the observation back."""
    legal = " ".join(map(action_name, question.legal))
    return [
        f"ply {question.ply}, {question.clock_ms / 1000:.1f} s left, legal: {legal}",
        f"turn.observation = Observation.decode(bytes.fromhex({question.view.hex()!r}))",
    ]


def _line(error: BaseException) -> str:
    return "".join(traceback.format_exception_only(error)).strip().splitlines()[-1]


def _trace(error: BaseException) -> list[str]:
    """The traceback without the frames of this module, which are no business of the author."""
    frames: TracebackType | None = error.__traceback__
    while frames is not None and frames.tb_frame.f_code.co_filename == __file__:
        frames = frames.tb_next
    text = "".join(traceback.format_exception(type(error), error, frames))
    return text.rstrip().splitlines()
