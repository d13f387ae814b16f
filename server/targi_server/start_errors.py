"""Why a server does not start, or cannot go on: words for whoever runs it, never sent to a caller.

    StartError               the reason in words, with what to do
    ├── BadSetting           a flag or variable has a value that cannot work
    ├── PortInUse            the gRPC or the HTTP port cannot be had
    ├── RedisNotFound        no redis-server or valkey-server on this machine
    ├── RedisTooOld          there is one, but it lacks what the arena needs
    ├── ArchiveUnusable      the archive directory cannot be made or written
    ├── DataDirUnusable      the data directory cannot be made or written
    ├── DataDirInUse         another supervisor holds the data directory
    ├── DataTooNew           a newer server wrote the data
    ├── RedisFailed          the embedded Redis ends or does not answer while it starts
    ├── WorkerFailed         a worker cannot start; the words are its own
    ├── KeepsDying           a child died five times in a minute
    ├── DemoStuck            the demo's bots do not play
    └── NotDone              the arena does not do what the administrator asked for

What callers of a running server are told stands in `targi_server.errors`.
"""

# The classes are named for what is the matter, not for being errors.
# ruff: noqa: N818

__all__ = [
    "ArchiveUnusable",
    "BadSetting",
    "DataDirInUse",
    "DataDirUnusable",
    "DataTooNew",
    "DemoStuck",
    "KeepsDying",
    "NotDone",
    "PortInUse",
    "RedisFailed",
    "RedisNotFound",
    "RedisTooOld",
    "StartError",
    "WorkerFailed",
]


class StartError(Exception):
    """The server does not start or cannot go on."""


class BadSetting(StartError):
    """A setting has a value that cannot work: names the key, the value and what is allowed."""

    def __init__(self, key: str, value: str, words: str) -> None:
        super().__init__(f"{key}={value}: {words}")
        self.key = key
        self.value = value


class PortInUse(StartError):
    """A port cannot be had."""


class RedisNotFound(StartError):
    """No server binary was found."""


class RedisTooOld(StartError):
    """Only server binaries were found that are too old."""


class ArchiveUnusable(StartError):
    """The archive directory cannot be made or written."""


class DataDirUnusable(StartError):
    """The data directory cannot be made or written."""


class DataDirInUse(StartError):
    """Another supervisor holds the data directory."""


class DataTooNew(StartError):
    """A newer server wrote the data."""


class RedisFailed(StartError):
    """The embedded Redis ends or does not answer while it starts."""


class WorkerFailed(StartError):
    """A worker cannot start."""


class KeepsDying(StartError):
    """A child died too often."""


class DemoStuck(StartError):
    """The demo's bots do not play."""


class NotDone(StartError):
    """The arena does not do what the administrator asked for."""
