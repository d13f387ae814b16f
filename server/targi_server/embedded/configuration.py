"""The configuration that the embedded Redis runs with."""

from pathlib import Path

__all__ = ["configuration"]


def quoted(path: Path) -> str:
    """A path as a configuration file takes it."""
    return '"' + str(path).replace("\\", "\\\\").replace('"', '\\"') + '"'


def configuration(*, data: Path, socket: Path, durability: str) -> str:
    """Text of redis.conf: a unix socket and no port, the append-only file and no snapshots beside it."""
    lines = {
        "port": "0",
        "unixsocket": quoted(socket),
        "unixsocketperm": "700",
        "dir": quoted(data),
        "appendonly": "yes",
        "appendfsync": durability,
        # Beats of an idle arena append some 360 MB a day: the rewrite keeps the file at what is alive.
        "auto-aof-rewrite-percentage": "100",
        "auto-aof-rewrite-min-size": "64mb",
        "save": '""',
        # The match log must never be thrown away to make room.
        "maxmemory-policy": "noeviction",
        "daemonize": "no",
        "logfile": '""',
        "proc-title-template": '"{title} {unixsocket} {config-file}"',
    }
    return "".join(f"{key} {value}\n" for key, value in lines.items())
