"""The server process of the embedded Redis: started, or adopted from a supervisor that was killed."""

import asyncio
import contextlib
import logging
import os
import signal
import tempfile
from dataclasses import replace
from pathlib import Path

from targi_server.embedded.binary import Binary, find
from targi_server.embedded.configuration import configuration
from targi_server.embedded.directory import DataDirectory, Note, usable
from targi_server.embedded.pids import command_of, is_alive
from targi_server.embedded.question import ServerSilent, ask, facts
from targi_server.launcher import tied
from targi_server.scratch import SHORT, SOCKET, prefix
from targi_server.start_errors import DataDirInUse, RedisFailed

__all__ = ["EmbeddedRedis"]

log = logging.getLogger(__name__)

POLL_S = 0.02
ANSWER_S = 30.0
"""Time in which a server that lives must say at least that it is loading."""
LOG_LIMIT = 1 << 20
SOCKET_PATH_LIMIT = 100
"""The shortest limit of the systems is 104 bytes."""


class EmbeddedRedis:
    """A child of the supervisor: `start`, then `ended` and `start` again after each death, `stop` at the end.

    The socket stays the same over restarts, so that clients only have to connect again.
    """

    name = "redis"

    def __init__(self, directory: DataDirectory, *, durability: str, given: Path | None) -> None:
        self.directory = directory
        self.durability = durability
        self.given = given
        self.socket: Path | None = None
        self.pid = 0
        self._process: asyncio.subprocess.Process | None = None

    @property
    def url(self) -> str:
        """Where clients find it, after the first start."""
        return f"unix://{self.socket}"

    async def start(self) -> None:
        """Returns when it answers. Raises the StartErrors of the binary and the directory, or RedisFailed."""
        with usable(self.directory.path):
            note = self.directory.note()
            if note is not None and await self._adopt(note):
                log.info("adopted the running Redis", extra={"pid": self.pid, "socket": str(self.socket)})
                return
            await self._spawn(note)
        if words := await self._silence():
            raise RedisFailed(f"Redis does not start ({words}); {self.directory.log} ends:\n{self._tail()}")

    async def ended(self) -> str:
        """Waits for its end; says how it was."""
        if self._process is not None:
            return f"exit code {await self._process.wait()}"
        while is_alive(self.pid):  # noqa: ASYNC110 (the child of another cannot be waited for)
            await asyncio.sleep(POLL_S * 10)
        return "gone"

    async def stop(self, grace_s: float) -> None:
        """Lets it close its files; kills it after the grace time."""
        if self.pid:
            self._signal(signal.SIGTERM)
            try:
                await asyncio.wait_for(self.ended(), grace_s)
            except TimeoutError:
                log.error("Redis did not stop in time", extra={"pid": self.pid})
                self._signal(signal.SIGKILL)
                await self.ended()
            self.pid = 0
        if self.socket is not None:
            remove(self.socket)

    async def _adopt(self, note: Note) -> bool:
        """Whether the noted server lives and is now ours; waits for one that is ending.

        A copied directory has a note, too, but of the server that runs on the original.
        """
        socket = Path(note.socket)
        for _ in range(int(ANSWER_S / POLL_S)):
            with contextlib.suppress(ServerSilent):
                if not await asyncio.to_thread(self._is_home_of, socket):
                    return False
                pid = int((await asyncio.to_thread(facts, socket))["process_id"])
                if note.pid in (0, pid) and await self._take_over(pid, socket):
                    self.directory.write(replace(note, pid=pid))
                    return True
            if not self._is_ours(note.pid):
                if not is_alive(note.pid):
                    remove(socket)
                return False
            await asyncio.sleep(POLL_S)
        raise DataDirInUse(
            f"the server with pid {note.pid} still runs on {self.directory.path} and does not answer; "
            f"end it, then start again"
        )

    def _is_ours(self, pid: int) -> bool:
        """Whether that process runs on this directory, and is not another that got the number since."""
        configuration = str(self.directory.configuration.absolute())
        return pid != 0 and is_alive(pid) and configuration in (command_of(pid) or configuration)

    def _is_home_of(self, socket: Path) -> bool:
        """Whether the server at the socket keeps its files in this directory. Raises ServerSilent."""
        _, _, home = ask(socket, "CONFIG", "GET", "dir").partition("\n")
        return os.path.realpath(home) == os.path.realpath(self.directory.path)

    async def _take_over(self, pid: int, socket: Path) -> bool:
        """Whether it answers, and keeps on doing so as the settings say."""
        self._process, self.pid, self.socket = None, pid, socket
        if await self._silence():
            return False
        return await asyncio.to_thread(ask, socket, "CONFIG", "SET", "appendfsync", self.durability) == "OK"

    async def _spawn(self, note: Note | None) -> None:
        """Starts the program; from the main thread, whose end would else be its end."""
        binary = find(self.given, writer=note.wrote if note else None)
        self.socket = self.socket or socket_path()
        self.socket.parent.mkdir(exist_ok=True, mode=0o700)
        self.directory.configuration.write_text(
            configuration(data=self.directory.path.absolute(), socket=self.socket, durability=self.durability)
        )
        self._note(binary, 0)
        self._process = await self._launch(binary)
        self.pid = self._process.pid
        self._note(binary, self.pid)
        log.info("started Redis", extra={"program": str(binary), "pid": self.pid})

    async def _launch(self, binary: Binary) -> asyncio.subprocess.Process:
        path = self.directory.log
        if path.exists() and path.stat().st_size > LOG_LIMIT:
            path.replace(path.with_suffix(".old"))
        with path.open("ab") as output:
            return await asyncio.create_subprocess_exec(
                *tied(str(binary.path), str(self.directory.configuration.absolute())),
                stdin=asyncio.subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                start_new_session=True,
                umask=0o077,
            )

    def _note(self, binary: Binary, pid: int) -> None:
        self.directory.write(Note(pid, str(binary.path), str(binary.version), str(self.socket)))

    async def _silence(self) -> str:
        """Waits while it starts and loads: empty when it answers, else the last that was heard.

        A long file may take its time for as long as it says so.
        """
        assert self.socket is not None
        loop = asyncio.get_running_loop()
        end, words = loop.time() + ANSWER_S, ""
        while loop.time() < end or words.startswith("LOADING"):
            try:
                await asyncio.to_thread(ask, self.socket, "PING")
                return ""
            except ServerSilent as silent:
                words = str(silent)
            if not is_alive(self.pid):
                break
            await asyncio.sleep(POLL_S)
        return words

    def _tail(self, lines: int = 5) -> str:
        text = self.directory.log.read_text(errors="replace") if self.directory.log.exists() else ""
        return "\n".join(text.splitlines()[-lines:])

    def _signal(self, number: signal.Signals) -> None:
        with contextlib.suppress(ProcessLookupError):
            os.kill(self.pid, number)


def remove(socket: Path) -> None:
    """Takes away a socket and its directory, nothing else that somebody may have put there."""
    if socket.is_socket():
        socket.unlink(missing_ok=True)
    with contextlib.suppress(OSError):
        socket.parent.rmdir()


def socket_path() -> Path:
    """A socket in a new directory of this user's, short enough for every system."""
    folder = Path(tempfile.mkdtemp(prefix=prefix("redis")))
    if len(os.fsencode(folder / SOCKET)) > SOCKET_PATH_LIMIT:
        folder.rmdir()
        folder = Path(tempfile.mkdtemp(prefix=prefix("redis"), dir=SHORT))
    return folder / SOCKET
