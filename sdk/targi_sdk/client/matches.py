"""The running matches of a session: what the service says about them, what the bots answer."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from types import MappingProxyType

from targi.v1 import game_pb2
from targi.v1 import play_pb2 as pb
from targi.v1 import reason_pb2 as reasons
from targi_engine import ACTIONS, EngineError, Observation, action_id, action_name

from targi_sdk.bot import End
from targi_sdk.client.match import Logged, Match, end_of, start_of
from targi_sdk.client.news import Kind, News, Reporter
from targi_sdk.client.outbox import Outbox
from targi_sdk.client.players import Players
from targi_sdk.client.questions import Answer, Failure, Question, Reply
from targi_sdk.client.recent import Recent
from targi_sdk.client.telling import clipped, end_words, reason_name, start_words
from targi_sdk.errors import WireError
from targi_sdk.wire import action_from_proto, action_to_proto, actions_from_proto, clocks_from_proto

__all__ = ["Matches"]

RESEND_S = 0.5
MOST_OVER = 4096
"""Matches that are over and may still be heard of."""

NOTATIONS = frozenset(ACTIONS)
NAMELESS = "?"
"""An action without notation, from a service that numbers otherwise."""

ELSEWHERE = -1
"""A ply that no question is about."""

ERROR_BYTES = 4096
"""Longest text of a BotError, in bytes of UTF-8."""


class Matches:
    """Handles the events of matches. `now` gives seconds of `time.monotonic()`."""

    def __init__(self, players: Players, outbox: Outbox, report: Reporter, now: Callable[[], float]) -> None:
        self.running: dict[str, Match] = {}
        self.ended: list[End] = []
        self.started = 0
        self.by_name = False
        """Whether actions are read and sent in notation, because the versions differ."""
        self._players = players
        self._outbox = outbox
        self._report = report
        self._now = now
        self._again: dict[str, float] = {}
        self._asked = 0
        self._over = Recent(MOST_OVER)
        self._reopened: dict[str, pb.MatchStarted] = {}
        """Matches that are over, and of which a start came after that: they may go on."""
        players.replies = self.reply

    def match_started(self, message: pb.MatchStarted) -> None:
        """A match starts, or goes on after a reconnect: what this side knew of it is brought up to date."""
        if message.match_id in self._over:
            self._reopened[message.match_id] = message
            if message.HasField("turn"):
                self._reopen(message.match_id)
            return
        known = message.match_id in self.running
        match = self.running[message.match_id] if known else self._join(message)
        before, match.log = match.log, []
        self._log(match, message.log)
        if before[: len(match.log)] != match.log[: len(before)]:
            match.go_to(
                ELSEWHERE
            )  # the service lost actions: what was asked at this ply was another position
        match.go_to(message.ply)
        if match.lost is not None and known:
            self._outbox.add(match.lost)
        elif message.HasField("turn"):
            self._take(match, message.turn, message.view)

    def turn(self, message: pb.Turn) -> None:
        """The bot is to move."""
        self._reopen(message.match_id)
        if (match := self.running.get(message.match_id)) is not None:
            self._take(match, message, message.view)

    def applied(self, message: pb.Applied) -> None:
        """Actions were committed; for own ones this is the acknowledgement. The same may come twice."""
        self._reopen(message.match_id)
        match = self.running.get(message.match_id)
        if match is not None and message.next_ply > match.ply:
            self._log(match, message.actions)
            match.go_to(message.next_ply)

    def rejected(self, message: pb.Rejected) -> None:
        """Something about a match was refused."""
        match = self.running.get(message.match_id)
        if message.reason not in QUIET:
            self._tell_refusal(match, message)
        if match is not None:
            REACTIONS.get(message.reason, Matches._keep)(self, match, message)

    def match_ended(self, message: pb.MatchEnded) -> None:
        """A match is over. The service says so again until it knows that it was heard."""
        if message.match_id in self._over:
            self._reopened.pop(message.match_id, None)
            return
        self._over.add(message.match_id)
        self._again.pop(message.match_id, None)
        match = self.running.pop(message.match_id, None)
        end = end_of(message, -1 if match is None else match.start.seat)
        self._report(News(Kind.ENDED, end_words(end, match), message.match_id))
        if match is not None:
            self.ended.append(end)
            self._players.end(message.match_id, end)

    def reply(self, reply: Reply) -> None:
        """What a bot answered. An answer to a turn that is settled already is dropped."""
        match = self.running.get(reply.match_id)
        if isinstance(reply, Failure):
            self._fail(match, reply)
        elif match is not None and match.thinking and match.is_asked(reply.question):
            self._send(match, reply)

    def tick(self) -> None:
        """Send again what the server could not take a moment ago."""
        due = [match_id for match_id, at in self._again.items() if at <= self._now()]
        for match_id in due:
            del self._again[match_id]
            match = self.running[match_id]
            if (event := match.lost or match.sent) is not None:
                self._outbox.add(event)

    def _reopen(self, match_id: str) -> None:
        """Go on with a match that was over, if the service lost that end and plays on."""
        message = self._reopened.pop(match_id, None)
        if message is not None:
            self._over.discard(match_id)
            self.ended = [end for end in self.ended if end.match_id != match_id]
            self.match_started(message)

    def _join(self, message: pb.MatchStarted) -> Match:
        start = start_of(message)
        match = self.running[start.match_id] = Match(start, message.ply)
        self.started += 1
        self._report(News(Kind.STARTED, start_words(message), start.match_id))
        self._players.start(start)
        return match

    def _log(self, match: Match, actions: Iterable[game_pb2.LoggedAction]) -> None:
        match.log += [
            Logged(each.ply, each.seat, self._notation(each.action), each.forced) for each in actions
        ]

    def _notation(self, action: game_pb2.Action) -> str:
        """How an action is written; where the vocabularies differ only the service can say."""
        if action.name or self.by_name:
            return action.name or NAMELESS
        return action_name(action_from_proto(action))

    def _legal(self, actions: Sequence[game_pb2.Action]) -> tuple[int, ...]:
        """Ids of the actions that may be chosen.

        Where the vocabularies differ they come from notation alone, and what is not known here is left out.
        """
        if not self.by_name:
            return actions_from_proto(actions)
        known = tuple(action_id(action.name) for action in actions if action.name in NOTATIONS)
        if not known:
            raise WireError("no action in it has a notation that this SDK knows")
        return known

    def _take(self, match: Match, turn: pb.Turn, view: game_pb2.View) -> None:
        """Ask the bot, unless it was asked already: then its answer stands, and is sent again."""
        if match.lost is not None:
            return
        match.go_to(turn.ply)
        if not match.is_open(turn.ply):
            self._ask(match, turn, view)
        elif match.sent is not None:
            self._outbox.add(match.sent)

    def _ask(self, match: Match, turn: pb.Turn, view: game_pb2.View) -> None:
        try:
            question = self._question(match, turn, view)
            if not match.readable:
                Observation.decode(question.view)  # bots decode later: what cannot be read must show now
                match.readable = True
        except (EngineError, WireError) as error:
            self._fail(match, Failure(match.start.match_id, turn.ply, f"the turn cannot be read: {error}"))
            return
        match.question, match.thinking = question, True
        self._players.ask(question)

    def _question(self, match: Match, turn: pb.Turn, view: game_pb2.View) -> Question:
        own, other = _clocks_of(match.start.seat, turn.clocks)
        self._asked += 1
        return Question(
            match_id=turn.match_id,
            ply=turn.ply,
            decision=turn.decision,
            legal=self._legal(turn.legal),
            view=_compact_bytes(view),
            clock_ms=own,
            opponent_clock_ms=other,
            deadline=self._now() + own / 1000,
            number=self._asked,
        )

    def _send(self, match: Match, answer: Answer) -> None:
        """Send an answer and keep it: whatever happens to the stream, this ply gets no other one."""
        match.thinking = False
        if answer.action == match.refused:
            words = f"the server called {action_name(answer.action)} illegal, and the bot chose it again"
            self._fail(match, Failure(answer.match_id, answer.ply, words))
            return
        action = action_to_proto(answer.action, named=self.by_name)
        act = pb.Act(match_id=answer.match_id, ply=answer.ply, actions=[action])
        match.sent = pb.BotEvent(act=act)
        self._outbox.add(match.sent)

    def _fail(self, match: Match | None, failure: Failure) -> None:
        """Show what failed. If the match runs, tell the server: the bot loses it."""
        details = [failure.details] if failure.details else []
        if match is not None and match.log:
            details.append(f"the match so far: {match.moves()}")
        self._report(News(Kind.FAILED, failure.words, failure.match_id, "\n".join(details)))
        if match is None or match.lost is not None:
            return
        text = clipped("\n".join((failure.words, *details)), ERROR_BYTES)
        ply = match.ply if failure.ply < 0 else failure.ply
        match.lost = pb.BotEvent(bot_error=pb.BotError(match_id=failure.match_id, ply=ply, text=text))
        match.thinking, match.sent = False, None
        self._outbox.add(match.lost)

    def _tell_refusal(self, match: Match | None, message: pb.Rejected) -> None:
        """Show a refusal, with the moves if the bot or the rules may be at fault."""
        reason = reason_name(message.reason)
        words = f"the server refused what this bot sent at ply {message.ply} ({reason}): {message.words}"
        moves = match.moves() if match is not None and message.reason == reasons.REASON_ILLEGAL else ""
        self._report(News(Kind.NOTICE, words, message.match_id, moves))

    def _take_attached(self, match: Match, message: pb.Rejected) -> None:
        """Nothing is asked at that ply any more: go on with the turn that is open now, if one is."""
        if match.is_open(message.ply):
            match.go_to(ELSEWHERE)
        if message.HasField("turn") and message.turn.ply != message.ply:
            self._take(match, message.turn, message.turn.view)

    def _ask_again(self, match: Match, message: pb.Rejected) -> None:
        """The answer was called illegal: the bot gets another chance while its turn is open."""
        if match.sent is None or not match.is_open(message.ply):
            return
        refused = actions_from_proto(match.sent.act.actions)[0]
        match.go_to(ELSEWHERE)
        if message.HasField("turn"):
            match.refused = refused if message.turn.ply == message.ply else None
            self._take(match, message.turn, message.turn.view)

    def _resend_later(self, match: Match, message: pb.Rejected) -> None:
        """The service cannot tell now. If it has lost the ply itself, the turn that it attaches is open."""
        if message.HasField("turn") and not match.is_open(message.turn.ply):
            self._take(match, message.turn, message.turn.view)
        elif match.lost is not None or match.is_open(message.ply):
            self._again[message.match_id] = self._now() + RESEND_S

    def _forget(self, match: Match, message: pb.Rejected) -> None:
        """There is no such match."""
        self._again.pop(message.match_id, None)
        del self.running[message.match_id]
        self._players.end(message.match_id, None)

    def _keep(self, match: Match, message: pb.Rejected) -> None:
        """Nothing follows from it."""


QUIET = frozenset({reasons.REASON_STALE, reasons.REASON_UNAVAILABLE, reasons.REASON_MATCH_OVER})
"""Reasons that happen in the best of matches and are dealt with in silence."""

REACTIONS: Mapping[int, Callable[[Matches, Match, pb.Rejected], None]] = MappingProxyType(
    {
        reasons.REASON_STALE: Matches._take_attached,
        reasons.REASON_ILLEGAL: Matches._ask_again,
        reasons.REASON_NOT_YOUR_TURN: Matches._take_attached,
        reasons.REASON_MATCH_OVER: Matches._take_attached,
        reasons.REASON_UNKNOWN_MATCH: Matches._forget,
        reasons.REASON_UNAVAILABLE: Matches._resend_later,
        reasons.REASON_INTERNAL: Matches._resend_later,
        reasons.REASON_LIMIT: Matches._resend_later,
    }
)
"""What follows from a refusal."""


def _compact_bytes(view: game_pb2.View) -> bytes:
    """The bytes of a position in the form that this client asks for."""
    if view.WhichOneof("form") != "compact":
        raise WireError("it has no position in the compact form that this client asked for")
    return view.compact


def _clocks_of(seat: int, clocks: game_pb2.Clocks) -> tuple[int, int]:
    """Own time left, then the opponent's, in milliseconds."""
    both = clocks_from_proto(clocks)
    return both[seat], both[1 - seat]
