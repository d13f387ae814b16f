"""The Acts of one frame: a few steps to the log, each with one wait."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Final, NamedTuple

from targi.v1 import play_pb2

from targi_server.play.answering import Acts
from targi_server.play.chain import Walk
from targi_server.play.sent import Sent
from targi_server.play.session import Session
from targi_server.play.tables import Tables
from targi_server.store.answers import Append, Appended, Committed

__all__ = ["Arrived", "Together"]

ROW: Final = 32
"""Acts that go to the log in one step: it writes them while the next are looked at, and others get a turn."""


class Arrived(NamedTuple):
    """An Act, and when it came in by the clock of its match, in ms."""

    act: play_pb2.Act
    at_ms: int


class _Ready(NamedTuple):
    sent: Sent
    made: Walk
    request: Append


class Together:
    """Deals with many Acts at once. What is out of the ordinary is left to `Acts`, one by one."""

    def __init__(self, tables: Tables, acts: Acts) -> None:
        self._tables = tables
        self._store = tables.store
        self._acts = acts

    async def take(self, session: Session, arrived: Sequence[Arrived]) -> None:
        """Answer Acts of one bot."""
        matches = {one.act.match_id for one in arrived}
        if len(arrived) <= ROW or len(matches) < len(arrived):  # several for one match keep their order
            await self._take(session, arrived)
            return
        rows = []
        for start in range(0, len(arrived), ROW):
            rows.append(asyncio.create_task(self._take(session, arrived[start : start + ROW])))
            await asyncio.sleep(0)
        await asyncio.gather(*rows)

    async def _take(self, session: Session, arrived: Sequence[Arrived]) -> None:
        ready: list[_Ready] = []
        others: list[Arrived] = []
        try:
            for one in arrived:
                found = await self._ready(session, one)
                if found is None:
                    others.append(one)
                else:
                    ready.append(found)
            alone = [self._acts.take(session, one.act, one.at_ms) for one in others]
            await asyncio.gather(self._commit(ready), *alone) if alone else await self._commit(ready)
        finally:
            for left in ready:
                left.sent.table.lock.release()

    async def _ready(self, session: Session, arrived: Arrived) -> _Ready | None:
        """What can be committed with others; then the table's lock is held. Never waits for another's."""
        table = self._tables.get(arrived.act.match_id)
        if table is None or table.lock.locked():
            return None
        await table.lock.acquire()
        found = None
        try:
            made = self._acts.made_of(session, table, *arrived)
            found = None if made is None else _Ready(*made)
        except Exception:  # it is met again, and dealt with, when the Act is taken alone
            return None
        finally:
            if found is None:
                table.lock.release()
        return found

    async def _commit(self, ready: list[_Ready]) -> None:
        """Takes from `ready` what is done, and lets go of its table: others of the frame may wait for it."""
        answers = await self._append([one.request for one in ready])
        for answer in answers:
            one = ready.pop(0)
            try:
                if isinstance(answer, Committed):
                    self._acts.told(one.sent, answer, one.made)
                else:
                    await self._acts.hear(one.sent, answer)
            finally:
                one.sent.table.lock.release()
        self._acts.measures.flush()

    async def _append(self, requests: Sequence[Append]) -> Sequence[Appended | Exception]:
        try:
            return await self._store.append_all(requests)
        except Exception as error:
            return [error] * len(requests)
