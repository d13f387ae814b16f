"""`kill -9` of any process while matches run: every match ends properly, and no acknowledged action is lost.

A later turn of the same match proves to a bot that its earlier choice was committed. So: every choice with a
later turn behind it must stand in the record at its ply, and the record must replay.
"""

import os
import random
from pathlib import Path

import grpc
import pytest
from arena_api import Api, api
from arena_process import Arena, arena, pids_with, wait_for
from bot_process import CHRONICLER, BotProcess, chronicle, running_bots
from heard import check_pairs
from targi_engine import Record, action_name, verify

MATCHES = 20
KILLS = 12
SEED = int(os.environ.get("CHAOS_SEED", "1"))


def running_matches(server: Arena) -> int:
    """How many matches run; 0 while the server does not answer.

    Its metric will not do: it is of a moment ago, and counts a match with bots at two workers twice.
    """
    try:
        with api(server.address) as calls:
            return len(calls.running())
    except grpc.RpcError:
        return 0


def asked(record: Record) -> list[str]:
    """The record's actions by ply."""
    return [action_name(action) for action, _ in record.actions]


def check_acknowledged(rows: list[dict[str, object]], record: Record) -> None:
    """Every choice that a later turn confirmed stands in the record at its ply."""
    by_seat: dict[object, list[dict[str, object]]] = {}
    for row in rows:
        if row["what"] == "choice":
            by_seat.setdefault(row["seat"], []).append(row)
    actions = asked(record)
    for choices in by_seat.values():
        last = max(int(str(row["ply"])) for row in choices)
        final = {int(str(row["ply"])): row["action"] for row in choices}
        for ply, action in final.items():
            if ply < last:
                assert actions[ply] == action, (ply, action, actions[ply])


def check_match(calls: Api, match_id: str, rows: list[dict[str, object]]) -> None:
    """A finished match has a record that verifies, one end for both seats, and all that was acknowledged."""
    text = wait_for(f"the record of {match_id}", lambda: calls.record(match_id))
    record = Record.parse(text)
    verify(record)
    assert record.tags["Termination"] == "normal", (match_id, record.tags)
    ends = {(row["result"], row["cause"]) for row in rows if row["what"] == "end"}
    assert ends <= {(record.tags["Result"], "normal")}, (match_id, ends)
    check_acknowledged(rows, record)


def strike(server: Arena, role: str) -> None:
    """Kills a process; a dead supervisor is started again on the same data, as an operator would."""
    server.kill9(role)
    if role == "supervisor":
        wait_for("the rest of its processes to end", lambda: not pids_with(str(server.data_dir)))
        server.start()
    else:
        wait_for(f"a new {role}", lambda: server.find_all(role))
        server.wait_ready()


def leave(bots: list[BotProcess]) -> None:
    """The bots, still the processes that were started, finish what runs and go."""
    for bot in bots:
        assert bot.process.poll() is None, bot.words
        bot.process.terminate()
    wait_for("the bots to leave", lambda: all(bot.process.poll() is not None for bot in bots), 300)


def check_all(calls: Api, folder: Path) -> None:
    """Every match that a bot saw start, and every rated pair."""
    rows = chronicle(folder)
    started = {str(row["match"]) for row in rows}
    assert len(started) >= MATCHES
    for match_id in sorted(started):
        check_match(calls, match_id, [row for row in rows if row["match"] == match_id])
    check_pairs(calls, started)


@pytest.mark.full
def test_kill_9_of_any_process_loses_nothing(tmp_path: Path) -> None:
    rng = random.Random(SEED)
    folder = tmp_path / "chronicle"
    folder.mkdir()
    roles = ["worker", "supervisor", "redis"] * (KILLS // 3)
    rng.shuffle(roles)
    flags = ("--capacity", str(MATCHES), "--workers", "2")
    specs = [(CHRONICLER, "chronicler-one"), (CHRONICLER, "chronicler-two")]
    env = {"CHRONICLE": str(folder)}
    with (
        arena(tmp_path / "data", "--increment-ms", "2000") as server,
        running_bots(server.address, specs, tmp_path, *flags, env=env) as bots,
    ):
        for role in roles:
            wait_for(f"{MATCHES} running matches", lambda: running_matches(server) >= MATCHES)
            wait_for("a random moment", lambda: rng.random() < 0.05)
            strike(server, role)
        leave(bots)
        with api(server.address) as calls:
            check_all(calls, folder)
    assert not pids_with(str(tmp_path)), "no process is left"
