"""One question to a server on a unix socket: enough of its protocol to see who it is."""

import socket
from pathlib import Path
from typing import BinaryIO

__all__ = ["ServerSilent", "ask", "facts"]

TIMEOUT_S = 2.0


class ServerSilent(Exception):  # noqa: N818 (named for what is the matter)
    """Nobody answers there, or answers with an error, such as LOADING."""


def ask(path: Path, *words: str) -> str:
    """The answer to one command of plain words. Raises ServerSilent."""
    try:
        with socket.socket(socket.AF_UNIX) as peer:
            peer.settimeout(TIMEOUT_S)
            peer.connect(str(path))
            peer.sendall(" ".join(words).encode() + b"\r\n")
            with peer.makefile("rb") as answers:
                return read(answers)
    except OSError as error:
        raise ServerSilent(f"{path}: {error}") from error


def read(answers: BinaryIO) -> str:
    """One status or bulk answer; those of an array stand in lines."""
    line = answers.readline().decode().rstrip("\r\n")
    kind, rest = line[:1], line[1:]
    if kind == "+":
        return rest
    if kind == "$" and int(rest) >= 0:
        return answers.read(int(rest) + 2)[:-2].decode()
    if kind == "*":
        return "\n".join(read(answers) for _ in range(int(rest)))
    raise ServerSilent(rest or "it closed the connection")


def facts(path: Path) -> dict[str, str]:
    """What INFO says of the server itself, such as `process_id`. Raises ServerSilent."""
    lines = ask(path, "INFO", "server").splitlines()
    return {key: value for key, _, value in (line.partition(":") for line in lines) if value}
