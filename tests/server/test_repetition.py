"""Work for a crowd, a row at a time."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from targi_server.repetition import spread


class Crowd:
    """Notes which rows came, and how many turns of the event loop others had between them."""

    def __init__(self) -> None:
        self.rows: list[list[int]] = []
        self.turns_of_others: list[int] = []
        self._turns = 0

    async def work(self, row: Sequence[int]) -> None:
        self.rows.append(list(row))
        self.turns_of_others.append(self._turns)

    async def live(self) -> None:
        """Somebody else who wants to run."""
        while True:
            self._turns += 1
            await asyncio.sleep(0)


async def test_each_of_a_crowd_is_dealt_with_once_in_order_and_in_rows() -> None:
    crowd = Crowd()
    await spread(crowd.work, range(7), most=3, within_s=0.0)
    assert crowd.rows == [[0, 1, 2], [3, 4, 5], [6]]


async def test_others_run_between_two_rows() -> None:
    crowd = Crowd()
    other = asyncio.create_task(crowd.live())
    await spread(crowd.work, range(6), most=2, within_s=0.0)
    other.cancel()
    first, second, third = crowd.turns_of_others
    assert first < second < third


async def test_the_rows_take_no_more_than_their_time_and_one_row_none() -> None:
    loop = asyncio.get_running_loop()
    crowd, began = Crowd(), loop.time()
    await spread(crowd.work, range(4), most=1, within_s=0.2)
    assert loop.time() - began >= 0.14  # three pauses of 0.05 s; how much more is the machine's affair
    await spread(crowd.work, range(4), most=4, within_s=3600.0)


async def test_nobody_means_no_work() -> None:
    crowd = Crowd()
    await spread(crowd.work, (), most=3, within_s=1.0)
    assert crowd.rows == []
