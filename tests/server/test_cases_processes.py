"""Cases from real ladders that take real bot processes, as an author runs them."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import grpc
import pytest
from arena_api import Api, api
from arena_process import arena, wait_for
from bot_process import CHRONICLER, BotProcess, chronicle, running_bot, running_bots
from targi.v1 import lobby_service_pb2, lobby_service_pb2_grpc, match_service_pb2, match_service_pb2_grpc
from targi_engine import Record, verify

TWELVE = 12
THINK_S = 20.0


def rows_of(folder: Path, what: str, pid: int | None = None) -> list[dict[str, object]]:
    """What bots wrote down of one kind, of one process if it is named."""
    rows = [row for row in chronicle(folder) if row["what"] == what]
    return [row for row in rows if pid is None or row["pid"] == pid]


def played_by(calls: Api, bot: str) -> int:
    """How many matches a bot plays at the moment, as everybody is told."""
    stub = lobby_service_pb2_grpc.LobbyServiceStub(calls.channel)
    online = stub.ListOnline(lobby_service_pb2.ListOnlineRequest()).bots
    return sum(each.matches for each in online if each.bot == bot)


def check(calls: Api, match_id: str) -> None:
    """It was played to its end, and its record replays."""
    record = Record.parse(wait_for(f"the record of {match_id}", lambda: calls.record(match_id), 300))
    verify(record)
    assert record.tags["Termination"] == "normal", (match_id, record.tags)


def choosing(folder: Path, pid: int) -> set[object]:
    """Matches in which a bot process chose something so far."""
    return {row["match"] for row in rows_of(folder, "choice", pid)}


@contextmanager
def restarted(bot: BotProcess, env: dict[str, str]) -> Iterator[subprocess.Popen[bytes]]:
    """The command of a bot process that is gone, given again, for the block."""
    environment = {**os.environ, **env, "TARGI_TOKEN": bot.token, "TARGI_HOME": str(bot.log.parent)}
    with bot.log.open("ab") as sink:
        process = subprocess.Popen(bot.process.args, stdout=sink, stderr=subprocess.STDOUT, env=environment)
        try:
            yield process
        finally:
            process.kill()
            process.wait()


@pytest.mark.full
def test_twelve_matches_of_a_bot_process_that_was_killed_come_back_and_none_more(tmp_path: Path) -> None:
    folder = tmp_path / "chronicle"
    folder.mkdir()
    flags, env = ("--capacity", str(TWELVE), "--no-ladder", "--in-process"), {"CHRONICLE": str(folder)}
    specs = [(CHRONICLER, "rival"), (CHRONICLER, "victim")]
    with (
        arena(tmp_path / "data", "--challenges-per-owner", str(TWELVE)) as server,
        running_bots(server.address, specs, tmp_path, *flags, env=env) as (rival, victim),
        api(server.address) as calls,
    ):
        ids = {calls.challenge(victim.token, "rival")[0] for _ in range(TWELVE)}
        wait_for("choices in all", lambda: choosing(folder, victim.process.pid) >= ids)
        victim.process.send_signal(signal.SIGKILL)
        victim.process.wait()
        with restarted(victim, env) as again:
            wait_for("choices in all again", lambda: choosing(folder, again.pid) >= ids)
            starts = rows_of(folder, "start", again.pid)
            assert {row["match"] for row in starts} == ids
            assert all(int(str(row["ply"])) > 0 for row in starts)
            assert played_by(calls, "victim") <= TWELVE
            for match_id in ids:
                check(calls, match_id)
        assert rival.process.poll() is None, rival.words


@pytest.mark.full
def test_a_bot_that_thinks_for_20_seconds_inside_its_clock_is_charged_and_nothing_else(
    tmp_path: Path,
) -> None:
    with arena(tmp_path / "data") as server, api(server.address) as calls:
        flags, slow = ("--no-ladder", "--workers", "1"), {"CHRONICLE_THINK_S": str(THINK_S)}
        env = {"CHRONICLE": str(tmp_path)}
        with (
            running_bot(server.address, CHRONICLER, "thinker", tmp_path, *flags, env=env | slow) as thinker,
            running_bot(server.address, CHRONICLER, "rival", tmp_path, *flags, env=env),
        ):
            wait_for("both to be online", lambda: {"thinker", "rival"} <= set(calls.online()))
            (match_id,) = calls.challenge(thinker.token, "rival")
            rows = wait_for("its answer", lambda: timeline(calls, match_id), 120)
    assert rows[0].seat == 0
    assert THINK_S * 1000 - 100 <= rows[0].charged_ms <= (THINK_S + 20) * 1000
    assert not [row.words for row in rows if not row.HasField("action")]  # never away, never struck
    assert "no connection" not in thinker.words


def timeline(calls: Api, match_id: str) -> list[match_service_pb2.TimelineEntry] | None:
    """What happened in a match, once anything did; None before."""
    stub = match_service_pb2_grpc.MatchServiceStub(calls.channel)
    request = match_service_pb2.GetMatchRequest(match_id=match_id, timeline=True)
    try:
        return list(stub.GetMatch(request).timeline) or None
    except grpc.RpcError:
        return None
