"""A running match with a bot here: its position as this process knows it, and who is to be told.

All of it is a cache of the match log. Whoever changes it holds `lock`; in doubt it is read again.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from targi_engine import State

from targi_server.errors import MatchOver, UnknownMatch
from targi_server.match.model import Live, MatchHeader
from targi_server.play import moves, views
from targi_server.play.chain import Step
from targi_server.play.encoding import encoded
from targi_server.play.session import Form, Session
from targi_server.store.bus import MatchNews

__all__ = ["Table"]


@dataclass(eq=False, slots=True)
class Table:
    """One match. `sessions` are the bots that are connected here, by seat."""

    header: MatchHeader
    state: State
    clocks: tuple[int, int]
    turn_at_ms: int
    strikes: tuple[int, int]
    let_go: tuple[int, int] = (0, 0)
    """How often the clock of a seat was let go after it was held for as long as it may be."""
    sessions: list[Session | None] = field(default_factory=lambda: [None, None])
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    news: list[MatchNews] = field(default_factory=list)
    """What came while the table was locked."""
    out_ms: int = 0
    """From the last commit until the open turn was sent; 0 for a bot that is not connected."""
    sent_at_ms: int = 0
    """When the open turn was sent, 0 if it was not."""
    checked_at: float = field(default_factory=time.monotonic)
    """When it was last known to be in step with the log."""
    over: bool = False
    refusals: int = 0
    """What was refused here and kept as evidence, a count."""
    _turns: dict[Form, bytes] = field(default_factory=dict)

    @property
    def match_id(self) -> str:
        """Id of the match."""
        return self.header.match_id

    @property
    def ply(self) -> int:
        """Asked decisions applied so far."""
        return self.state.ply

    @property
    def empty(self) -> bool:
        """Whether nobody is connected here."""
        return self.sessions == [None, None]

    def seat_of(self, session: Session) -> int:
        """The seat of a bot that is connected here. Raises UnknownMatch, or MatchOver at a cleared table."""
        if session in self.sessions:
            return self.sessions.index(session)
        if self.over:
            raise MatchOver("the match is over: see its MatchEnded")
        raise UnknownMatch(f"this session does not play in match {self.match_id}")

    def set_strikes(self, seat: int, strikes: int) -> None:
        """Take over how many strikes a seat has."""
        self.strikes = (strikes, self.strikes[1]) if seat == 0 else (self.strikes[0], strikes)

    def move(self, state: State, clocks: tuple[int, int], turn_at_ms: int) -> None:
        """Go on to a later position; the turn that is open there was not sent yet."""
        self.state = state
        self.clocks = clocks
        self.turn_at_ms = turn_at_ms
        self.out_ms = self.sent_at_ms = 0
        self.checked_at = time.monotonic()
        self._turns.clear()

    def agree(self, live: Live) -> None:
        """Take over what the log says of the position that is known already."""
        if self.clocks != live.clocks:
            self._turns.clear()
        self.clocks = live.clocks
        self.turn_at_ms = live.turn_at_ms
        self.strikes = live.strikes
        self._note_let_go(live)
        self.checked_at = time.monotonic()

    def _note_let_go(self, live: Live) -> None:
        """Tell both of a held clock that runs again; both were told of those before they sat down."""
        for seat in (0, 1):
            if live.let_go[seat] > self.let_go[seat]:
                event = views.clock_let_go(self.match_id, seat)
                for session in filter(None, self.sessions):
                    session.push(event)
        self.let_go = live.let_go

    def turn_for(self, seat: int, form: Form) -> bytes | None:
        """Body of the open Turn if `seat` is to move."""
        if self.over or self.state.current_seat != seat:
            return None
        body = self._turns.get(form)
        if body is None:
            body = self._turns[form] = moves.turn(self.header, self.state, self.clocks, form)
        return body

    def tell(self, event: Callable[[Form], bytes]) -> None:
        """Send both seats an event, made once for each form that is asked for."""
        made: dict[Form, bytes] = {}
        for session in self.sessions:
            if session is None:
                continue
            if session.form not in made:
                made[session.form] = event(session.form)
            session.push(made[session.form])

    def tell_applied(
        self, steps: Sequence[Step], *, ply: int, taken: int, charged_ms: int, clocks: tuple[int, int]
    ) -> None:
        """Tell both seats of actions that were committed; `clocks` are those after them."""
        self.tell(
            lambda form: moves.applied(
                self.header,
                steps,
                ply=ply,
                taken=taken,
                charged_ms=charged_ms,
                clocks=clocks,
                form=form,
            )
        )

    def send_turn(self, now_ms: int) -> None:
        """Send the open turn to the bot that is to move, if it is connected here and did not get it yet."""
        seat = self.state.current_seat
        session = self.sessions[seat] if seat >= 0 else None
        if session is None or self.sent_at_ms:
            return
        body = self.turn_for(seat, session.form)
        if body is not None:
            session.push(encoded("turn", body))
            self.turn_sent(now_ms)

    def turn_sent(self, now_ms: int) -> None:
        """The open turn entered a queue: the time since the commit is not the bot's."""
        self.sent_at_ms = now_ms
        self.out_ms = max(0, now_ms - self.turn_at_ms)
