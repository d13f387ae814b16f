"""Workers run on uvloop, or on the event loop of asyncio where that is not to be had."""

from __future__ import annotations

import asyncio
import sys

import pytest
from targi_server.worker import loop_factory


def test_a_worker_runs_on_uvloop() -> None:
    with asyncio.Runner(loop_factory=loop_factory()) as runner:
        assert type(runner.get_loop()).__module__.startswith("uvloop")
        assert runner.run(asyncio.sleep(0, "done")) == "done"


def test_without_uvloop_a_worker_runs_on_the_loop_of_asyncio(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "uvloop", None)
    assert loop_factory() is None
