"""An Act that reached its table, and what is asked of the log for it."""

from __future__ import annotations

from typing import NamedTuple

from targi.v1 import play_pb2

from targi_server.match.model import OVER
from targi_server.play.chain import Walk
from targi_server.play.links import Links, shown_link
from targi_server.play.session import Session
from targi_server.play.table import Table
from targi_server.store import answers

__all__ = ["Sent"]


class Sent(NamedTuple):
    """An Act at its table."""

    session: Session
    table: Table
    seat: int
    act: play_pb2.Act
    links: Links
    arrived_ms: int

    def request(self, made: Walk) -> answers.Append:
        """What goes to the log of it, as far as it was taken."""
        state = made.state
        outcome = state.outcome() if state.is_over else None
        return answers.Append(
            match_id=self.table.match_id,
            ply=self.act.ply,
            seat=self.seat,
            actions=self.links.known[: made.taken],
            digest=self.links.digest,
            received=len(self.links.actions),
            arrived_ms=self.arrived_ms,
            out_ms=self.table.out_ms,
            turn_ended=made.turn_ended,
            next_seat=OVER if outcome else state.current_seat,
            result=outcome.result if outcome else None,
            scores=outcome.scores if outcome else None,
            struck=made.illegal,
            shown=self.shown(made.taken) if made.illegal else "",
            since_ms=self.table.turn_at_ms,
        )

    def shown(self, link: int) -> str:
        """One of its actions, for the evidence."""
        return shown_link(self.act, link, ids_valid=self.session.action_ids)

    def comparison(self) -> answers.Append:
        """Asks the log whether it had this answer at an old ply; nothing is added."""
        return answers.Append(
            match_id=self.table.match_id,
            ply=self.act.ply,
            seat=self.seat,
            actions=self.links.known,
            digest=self.links.digest,
            received=len(self.links.actions),
            arrived_ms=self.arrived_ms,
            out_ms=0,
            turn_ended=False,
            next_seat=self.seat,
        )
