"""The embedded Redis itself: a real server, its socket, its ends and its adoption."""

import asyncio
import contextlib
import errno
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NoReturn

import pytest
from arena_process import wait_for
from targi_server.embedded import process
from targi_server.embedded.binary import candidates, find
from targi_server.embedded.configuration import configuration
from targi_server.embedded.directory import DataDirectory, Note, hold
from targi_server.embedded.pids import is_alive
from targi_server.embedded.process import EmbeddedRedis, socket_path
from targi_server.embedded.question import ServerSilent, ask, facts
from targi_server.start_errors import DataDirInUse, DataDirUnusable, DataTooNew, RedisFailed

SUPERVISOR = """
import asyncio, sys
from pathlib import Path
from targi_server.embedded.directory import hold
from targi_server.embedded.process import EmbeddedRedis

async def main():
    with hold(Path(sys.argv[1])) as directory:
        redis = EmbeddedRedis(directory, durability="always", given=None)
        await redis.start()
        print(redis.pid, flush=True)
        await asyncio.Event().wait()

asyncio.run(main())
"""


@pytest.fixture
def directory(tmp_path: Path) -> Iterator[DataDirectory]:
    with hold(tmp_path / "some data") as held:
        yield held


def redis_on(
    directory: DataDirectory, durability: str = "always", given: Path | None = None
) -> EmbeddedRedis:
    return EmbeddedRedis(directory, durability=durability, given=given)


def say(redis: EmbeddedRedis, *words: str) -> str:
    assert redis.socket is not None
    return ask(redis.socket, *words)


@contextlib.contextmanager
def orphan(directory: DataDirectory) -> Iterator[subprocess.Popen[bytes]]:
    """A server on the directory that outlived its supervisor, as on systems that do not tie it."""
    socket = socket_path()
    directory.configuration.write_text(
        configuration(data=directory.path, socket=socket, durability="everysec")
    )
    binary = find()
    server = subprocess.Popen(
        [binary.path, directory.configuration], stdout=subprocess.DEVNULL, start_new_session=True
    )
    directory.write(Note(server.pid, str(binary.path), str(binary.version), str(socket)))
    try:
        wait_for("its socket", socket.exists)
        yield server
    finally:
        server.kill()
        server.wait()


async def test_it_answers_on_a_short_socket_only_and_is_noted(directory: DataDirectory) -> None:
    redis = redis_on(directory)
    await redis.start()
    try:
        assert redis.socket is not None
        assert len(os.fsencode(redis.socket)) < 104
        assert redis.socket.parent.stat().st_mode & 0o077 == 0
        assert redis.url == f"unix://{redis.socket}"
        said = facts(redis.socket)
        assert said["tcp_port"] == "0"
        assert int(said["process_id"]) == redis.pid
        note = directory.note()
        assert note is not None
        assert (note.pid, note.socket) == (redis.pid, str(redis.socket))
        assert note.wrote == find().version
    finally:
        await redis.stop(10)


async def test_it_has_a_session_of_its_own(directory: DataDirectory) -> None:
    redis = redis_on(directory)
    await redis.start()
    try:
        assert os.getsid(redis.pid) == redis.pid != os.getsid(0)
    finally:
        await redis.stop(10)


@pytest.mark.parametrize("durability", ["always", "everysec"])
async def test_it_keeps_an_append_only_file_of_the_given_durability(
    directory: DataDirectory, durability: str
) -> None:
    redis = redis_on(directory, durability)
    await redis.start()
    try:
        text = directory.configuration.read_text()
        assert f"appendfsync {durability}\n" in text
        assert "auto-aof-rewrite-percentage 100\n" in text
        assert say(redis, "SET", "key", "value") == "OK"
        files = [directory.path / "appendonlydir", *(directory.path / "appendonlydir").iterdir()]
        assert len(files) > 1
        assert [path for path in files if path.stat().st_mode & 0o077] == []
    finally:
        await redis.stop(10)


async def test_after_a_kill_it_starts_on_the_same_socket_with_its_data(
    directory: DataDirectory,
) -> None:
    redis = redis_on(directory)
    await redis.start()
    try:
        say(redis, "SET", "key", "value")
        before = (redis.pid, redis.url)
        os.kill(redis.pid, signal.SIGKILL)
        assert await redis.ended() == "exit code -9"
        await redis.start()
        assert redis.pid != before[0]
        assert redis.url == before[1]
        assert say(redis, "GET", "key") == "value"
    finally:
        await redis.stop(10)


async def test_a_stop_leaves_no_process_and_no_socket(directory: DataDirectory) -> None:
    redis = redis_on(directory)
    await redis.start()
    pid, socket = redis.pid, redis.socket
    await redis.stop(10)
    assert not is_alive(pid)
    assert socket is not None
    assert not socket.parent.exists()


async def test_a_server_that_ignores_the_stop_is_killed(directory: DataDirectory) -> None:
    redis = redis_on(directory)
    await redis.start()
    os.kill(redis.pid, signal.SIGSTOP)
    await redis.stop(0.2)
    assert not is_alive(redis.pid)


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux ties a child to the life of its parent")
def test_a_killed_supervisor_takes_it_along(tmp_path: Path) -> None:
    with subprocess.Popen([sys.executable, "-c", SUPERVISOR, str(tmp_path)], stdout=subprocess.PIPE) as owner:
        assert owner.stdout is not None
        pid = int(owner.stdout.readline())
        assert is_alive(pid)
        owner.kill()
    wait_for("the end of its Redis", lambda: not is_alive(pid), 10)


async def test_a_live_server_of_a_killed_supervisor_is_adopted(directory: DataDirectory) -> None:
    with orphan(directory) as server:
        redis = redis_on(directory, "always")
        await redis.start()
        assert redis.pid == server.pid
        assert say(redis, "SET", "key", "value") == "OK"
        await redis.stop(10)
        assert server.wait(10) == 0


@pytest.mark.parametrize("number", [signal.SIGCONT, signal.SIGSTOP], ids=["answering", "silent"])
async def test_a_copied_directory_gets_a_server_of_its_own(
    directory: DataDirectory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: signal.Signals
) -> None:
    monkeypatch.setattr("targi_server.embedded.question.TIMEOUT_S", 0.5)
    with orphan(directory) as server:
        original = directory.note()
        assert original is not None
        shutil.copytree(directory.path, tmp_path / "copy")
        server.send_signal(number)
        with hold(tmp_path / "copy") as copied:
            redis = redis_on(copied)
            await redis.start()
            try:
                assert (redis.pid, str(redis.socket)) != (server.pid, original.socket)
                assert say(redis, "CONFIG", "GET", "dir") == f"dir\n{tmp_path / 'copy'}"
            finally:
                await redis.stop(10)
        server.send_signal(signal.SIGCONT)
        assert server.poll() is None
        assert int(facts(Path(original.socket))["process_id"]) == server.pid


async def test_a_full_disk_is_a_reason_in_words_not_to_start(
    directory: DataDirectory, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> NoReturn:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(DataDirectory, "write", full)
    words = f"cannot write data directory {directory.path}: No space left on device; make room"
    with pytest.raises(DataDirUnusable, match=words):
        await redis_on(directory).start()


async def test_an_adopted_server_that_dies_is_replaced_on_the_same_socket(directory: DataDirectory) -> None:
    with orphan(directory) as server:
        redis = redis_on(directory)
        await redis.start()
        url = redis.url
        say(redis, "SET", "key", "value")
        server.kill()
        server.wait()
        assert await redis.ended() == "gone"
        await redis.start()
        assert redis.pid != server.pid
        assert redis.url == url
        assert say(redis, "GET", "key") == "value"
        await redis.stop(10)


async def test_a_noted_server_that_ends_while_it_is_asked_is_replaced(
    directory: DataDirectory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("targi_server.embedded.question.TIMEOUT_S", 0.1)
    with orphan(directory) as server:
        server.send_signal(signal.SIGSTOP)
        redis = redis_on(directory)
        starting = asyncio.create_task(redis.start())
        done, _ = await asyncio.wait([starting], timeout=0.3)
        assert not done
        server.kill()
        server.wait()
        await starting
        assert redis.pid != server.pid
        assert say(redis, "PING") == "PONG"
        await redis.stop(10)


async def test_a_noted_server_that_lives_and_is_silent_is_never_joined_by_a_second(
    directory: DataDirectory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(process, "ANSWER_S", 0.2)
    monkeypatch.setattr("targi_server.embedded.question.TIMEOUT_S", 0.1)
    with orphan(directory) as server:
        server.send_signal(signal.SIGSTOP)
        with pytest.raises(DataDirInUse, match=rf"server with pid {server.pid} still runs"):
            await redis_on(directory).start()


async def test_a_pid_that_belongs_to_somebody_else_now_is_not_waited_for(directory: DataDirectory) -> None:
    directory.write(Note(os.getpid(), "/usr/bin/redis-server", "Redis 7.0.0", "/tmp/targi-gone/redis.sock"))
    redis = redis_on(directory)
    await redis.start()
    await redis.stop(10)


async def test_data_of_a_newer_server_is_left_alone(directory: DataDirectory) -> None:
    directory.write(Note(0, "/opt/redis-server", "Redis 99.1.0", "/tmp/targi-gone/redis.sock"))
    with pytest.raises(DataTooNew, match=r"written by Redis 99\.1\.0"):
        await redis_on(directory).start()
    assert not (directory.path / "appendonlydir").exists()


async def test_a_server_that_does_not_start_is_quoted(directory: DataDirectory) -> None:
    redis = redis_on(directory)
    await redis.start()
    say(redis, "SET", "key", "value")
    await redis.stop(10)
    for file in (directory.path / "appendonlydir").glob("*.manifest"):
        file.write_text("nonsense\n")
    with pytest.raises(RedisFailed, match=r"(?s)Redis does not start .*manifest"):
        await redis_on(directory).start()


@pytest.mark.parametrize("path", list(candidates()))
async def test_every_program_that_is_found_serves(directory: DataDirectory, path: Path) -> None:
    redis = redis_on(directory, given=path)
    await redis.start()
    assert say(redis, "PING") == "PONG"
    await redis.stop(10)


def test_a_deep_temporary_directory_gives_a_short_path_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    deep = tmp_path / ("d" * 120)
    deep.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(deep))
    path = socket_path()
    try:
        assert len(os.fsencode(path)) < 104
        assert list(deep.iterdir()) == []
    finally:
        path.parent.rmdir()


def test_nobody_at_a_socket_is_silence(tmp_path: Path) -> None:
    with pytest.raises(ServerSilent, match=r"nobody\.sock"):
        ask(tmp_path / "nobody.sock", "PING")
