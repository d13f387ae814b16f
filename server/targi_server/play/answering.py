"""Acts: from the actions that a bot sends to the log, and back to both bots."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Coroutine, Mapping
from typing import Any

from targi.v1 import play_pb2

from targi_server import errors
from targi_server.metrics import Metrics
from targi_server.play import moves, refusals, replay, views
from targi_server.play.chain import Walk, walk
from targi_server.play.keeping import Keeper
from targi_server.play.links import read_links
from targi_server.play.measures import Measures
from targi_server.play.notes import Notes
from targi_server.play.seating import Seating
from targi_server.play.sent import Sent
from targi_server.play.session import Session
from targi_server.play.table import Table
from targi_server.play.tables import Tables
from targi_server.play.witness import Witness
from targi_server.store import answers

__all__ = ["Acts"]


class Acts:
    """Answers Acts with Applied or Rejected. Whatever goes wrong stays with the match that it concerns."""

    def __init__(
        self, tables: Tables, keeper: Keeper, seating: Seating, notes: Notes, metrics: Metrics
    ) -> None:
        self._tables = tables
        self._keeper = keeper
        self._seating = seating
        self._store = tables.store
        self._notes = notes
        self._witness = Witness(tables)
        self._metrics = metrics
        self.measures = Measures(metrics)

    async def take(self, session: Session, act: play_pb2.Act, arrived_ms: int) -> None:
        """Answer an Act that arrived at `arrived_ms` of the match clock."""
        await self._guarded(session, act, self._alone(session, act, arrived_ms))

    def made_of(
        self, session: Session, table: Table, act: play_pb2.Act, arrived_ms: int
    ) -> tuple[Sent, Walk, answers.Append] | None:
        """What goes to the log for an Act that answers the open turn of a table here, as nearly all do.

        For a holder of the table's lock. None: it is to be dealt with by `take`.
        """
        if act.ply != table.ply or session is not table.sessions[table.state.current_seat] or table.over:
            return None
        sent = Sent(
            session,
            table,
            table.state.current_seat,
            act,
            read_links(act, ids_valid=session.action_ids),
            arrived_ms,
        )
        made = walk(table.state, sent.links.actions)
        return (sent, made, sent.request(made)) if made.taken else None

    def told(self, sent: Sent, answer: answers.Committed, made: Walk) -> None:
        """Tell of a commit; the caller holds the table's lock."""
        try:
            self._tell(sent, answer, made)
        except Exception:
            self._tables.fail(sent.table, "an answer could not be dealt with")
        finally:
            self._keeper.catch_up(sent.table)

    async def hear(self, sent: Sent, answer: object) -> None:
        """Tell of another answer of the log or an error in its place; the caller holds the table's lock."""
        await self._guarded(sent.session, sent.act, self._kept(sent.table, self._hear(sent, answer)))

    async def _alone(self, session: Session, act: play_pb2.Act, arrived_ms: int) -> None:
        table = await self._seating.of(session, act.match_id)
        async with table.lock:
            await self._kept(table, self._answer(session, table, act, arrived_ms))
        self.measures.flush()

    async def _kept(self, table: Table, work: Awaitable[None]) -> None:
        """Do it, and then what news made necessary meanwhile. A failure of ours ends the match."""
        try:
            await work
        except errors.ServerError:
            raise
        except Exception:
            self._tables.fail(table, "an answer could not be dealt with")
        finally:
            self._keeper.catch_up(table)

    async def _guarded(self, session: Session, act: play_pb2.Act, work: Awaitable[None]) -> None:
        try:
            await work
        except errors.ServerError as error:
            self._tables.refuse(session, error, match_id=act.match_id, ply=act.ply)
            self._witness.refused(session, act, error)

    async def _answer(self, session: Session, table: Table, act: play_pb2.Act, arrived_ms: int) -> None:
        links = read_links(act, ids_valid=session.action_ids)
        if act.ply != table.ply:
            await self._keeper.read(table)
        sent = Sent(session, table, table.seat_of(session), act, links, arrived_ms)
        if act.ply > table.ply:
            raise errors.Invalid(f"ply {act.ply} is not reached: the match is at ply {table.ply}")
        if act.ply < table.ply:
            await self._late(sent)
        elif table.state.current_seat != sent.seat:
            raise refusals.not_your_turn(sent)
        else:
            await self._judge(sent)

    async def _judge(self, sent: Sent) -> None:
        made = walk(sent.table.state, sent.links.actions)
        if not made.taken:
            await self._hear(sent, await self._strike(sent))
            return
        answer = await self._store.append(sent.request(made))
        if isinstance(answer, answers.Committed):
            self._tell(sent, answer, made)
        else:
            await self._hear(sent, answer)

    async def _late(self, sent: Sent) -> None:
        """An answer to an old ply: the same again gets what it got then, another one is stale."""
        if sent.links.known:
            answer: object = await self._store.append(sent.comparison())
        else:
            answer = await self._strike(sent)
        if isinstance(answer, answers.Committed | answers.Struck):
            # Asked twice, as its first word was lost: the log cannot know that this is no first answer.
            answer = answers.Repeat(answer)
        await self._hear(sent, answer)

    async def _strike(self, sent: Sent) -> answers.StrikeAnswer:
        return await self._store.strike(
            sent.table.match_id,
            sent.act.ply,
            sent.seat,
            sent.links.digest,
            arrived_ms=sent.arrived_ms,
            out_ms=sent.table.out_ms,
            shown=sent.shown(0),
            since_ms=sent.table.turn_at_ms,
        )

    def _tell(self, sent: Sent, answer: answers.Committed, made: Walk) -> None:
        """Of a commit."""
        table = sent.table
        out_ms, sent_at_ms = table.out_ms, table.sent_at_ms
        table.move(made.state, answer.clocks, answer.at_ms)
        table.tell_applied(
            made.steps,
            ply=answer.ply,
            taken=answer.taken,
            charged_ms=answer.charged_ms,
            clocks=answer.clocks,
        )
        if made.illegal:
            table.set_strikes(sent.seat, answer.strikes)
            self._refuse_link(sent, answer.taken, over=answer.verdict is not None)
        now_ms = self._store.now_ms(table.match_id)
        if answer.verdict is not None:
            self._tables.end(table, answer.verdict)
        else:
            table.send_turn(now_ms)
        took_ms = now_ms - sent.arrived_ms
        thought_ms = sent.arrived_ms - sent_at_ms if sent_at_ms else None
        self.measures.add(table.header.ruleset, answer, took_ms=took_ms, out_ms=out_ms, thought_ms=thought_ms)
        if sent.act.note:
            self._tables.errands.start(self._notes.keep(table.match_id, answer.ply, sent.act.note))

    async def _hear(self, sent: Sent, answer: object) -> None:
        """Any answer of the store but a commit."""
        if isinstance(answer, Exception):
            raise answer
        await _HEARD[type(answer)](self, sent, answer)

    async def _struck(self, sent: Sent, answer: answers.Struck) -> None:
        sent.table.set_strikes(sent.seat, answer.strikes)
        self._refuse_link(sent, 0, over=answer.verdict is not None)
        if answer.verdict is not None:
            self._tables.end(sent.table, answer.verdict)

    async def _again(self, sent: Sent, answer: answers.Repeat) -> None:
        """Say again what this very answer was told the first time."""
        first = answer.first
        if isinstance(first, answers.Struck):
            self._refuse_link(sent, 0, strikes=first.strikes)
            return
        stored = await self._store.load(sent.table.match_id)
        if stored is None:
            raise errors.MatchOver("the match is over: see its MatchEnded")
        state, _ = replay.start(stored.header)
        replay.follow(state, stored.entries[: first.ply])
        made = walk(state, sent.links.actions)
        event = moves.applied(
            stored.header,
            made.steps,
            ply=first.ply,
            taken=first.taken,
            charged_ms=first.charged_ms,
            clocks=first.clocks,
            form=sent.session.form,
        )
        sent.session.push(event)
        if made.illegal:
            self._refuse_link(sent, first.taken, strikes=first.strikes)

    async def _over(self, sent: Sent, answer: answers.Over) -> None:
        self._tables.end(sent.table, answer.verdict)
        raise errors.MatchOver(f"the match is over ({answer.verdict.termination}): see its MatchEnded")

    async def _otherwise(self, sent: Sent, answer: object) -> None:
        """The log stands elsewhere than this table: read it, and refuse with the turn that is open there."""
        await self._keeper.read(sent.table)
        raise refusals.ELSEWHERE[type(answer)](sent)

    def _refuse_link(self, sent: Sent, link: int, *, over: bool = False, strikes: int | None = None) -> None:
        """Rejected: ILLEGAL for the link after `link` others, with the open turn if there is still one."""
        table = sent.table
        turn = None if over else table.turn_for(sent.seat, sent.session.form)
        count = table.strikes[sent.seat] if strikes is None else strikes
        error = errors.Illegal(refusals.illegal_words(sent, link, count))
        self._metrics.rejections_total.labels(error.reason).inc()
        sent.session.push(
            views.rejected(error, match_id=table.match_id, ply=sent.act.ply, strikes=count, turn=turn)
        )
        if turn is not None and not table.sent_at_ms:
            table.turn_sent(self._store.now_ms(table.match_id))


# Each method takes the one kind of answer that it is listed for; the table cannot say so, hence Any.
_HEARD: Mapping[type, Callable[[Acts, Sent, Any], Coroutine[Any, Any, None]]] = {
    answers.Struck: Acts._struck,
    answers.Repeat: Acts._again,
    answers.Over: Acts._over,
    **dict.fromkeys(refusals.ELSEWHERE, Acts._otherwise),
}
