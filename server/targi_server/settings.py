"""What a server can be told, read once from flags and environment into a frozen value.

A flag `--open-registration` and the variable `TARGI_OPEN_REGISTRATION` set the field `open_registration`;
flags win. A value that does not parse stops the start: `BadSetting` names the flag or variable and the value.
"""

import dataclasses
import json
import secrets
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, TypeAlias, cast

from targi_server.parameters import (
    Choice,
    FilePath,
    Kind,
    Networks,
    Number,
    Switch,
    Text,
    Whole,
)
from targi_server.start_errors import BadSetting

__all__ = ["Durability", "LogFormat", "Settings", "flag", "settable"]

Durability: TypeAlias = Literal["always", "everysec"]
LogFormat: TypeAlias = Literal["console", "json"]

PORT = Whole(0, 65_535)
MILLISECONDS = Whole(1, 24 * 3_600_000)
PATHS = ("data_dir", "archive_dir", "redis_binary", "tls_cert", "tls_key", "tls_client_ca")


def described(kind: Kind, text: str, *, flag: str = "") -> dict[str, object]:
    """Metadata of a settings field: how it parses, its words for --help, its flag if that is not its name."""
    return {"kind": kind, "help": text, "flag": flag}


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """One server's settings. Times end in their unit: `_ms` milliseconds, `_s` seconds."""

    host: str = field(
        default="127.0.0.1",
        metadata=described(Text(), "address of the gRPC port; 0.0.0.0 lets other machines in"),
    )
    port: int = field(default=7400, metadata=described(PORT, "gRPC port; 0 takes a free one"))
    tls_cert: Path | None = field(
        default=None,
        metadata=described(
            FilePath(), "certificate of the gRPC port with its chain, in PEM; without it there is no TLS"
        ),
    )
    tls_key: Path | None = field(
        default=None, metadata=described(FilePath(), "private key of that certificate, in PEM")
    )
    tls_client_ca: Path | None = field(
        default=None,
        metadata=described(
            FilePath(), "authorities in PEM; clients must show a certificate that one of them signed"
        ),
    )
    http_host: str = field(default="127.0.0.1", metadata=described(Text(), "address of the HTTP port"))
    http_port: int = field(
        default=7401,
        metadata=described(PORT, "HTTP port (page, /metrics, /healthz, /readyz); 0 takes a free one"),
    )
    data_dir: Path = field(
        default=Path("targi-data"),
        metadata=described(FilePath(), "directory of the embedded Redis' files; made when it is missing"),
    )
    archive: bool = field(
        default=True,
        metadata=described(Switch(), "export the records of finished matches to the archive directory"),
    )
    archive_dir: Path | None = field(
        default=None,
        metadata=described(
            FilePath(),
            "directory for exported records; without it archive/ in the data directory, or none with --redis",
        ),
    )
    redis_url: str | None = field(
        default=None,
        repr=False,
        metadata=described(
            Text(),
            "an outside Redis, such as redis://host:6379/0; without it one is embedded",
            flag="--redis",
        ),
    )
    redis_binary: Path | None = field(
        default=None,
        metadata=described(
            FilePath(), "redis-server or valkey-server for the embedded Redis; without it one is looked for"
        ),
    )
    workers: int = field(default=1, metadata=described(Whole(1, 64), "gRPC worker processes on the one port"))
    worker: int = 0
    replica: str = field(default_factory=lambda: secrets.token_hex(4))
    durability: Durability = field(
        default="always",
        metadata=described(
            Choice("always", "everysec"),
            "when the embedded Redis syncs to disk: at each commit, or each second (a crash may lose 2 s)",
        ),
    )
    replicas_ack: int = field(
        default=0,
        metadata=described(Whole(0, 16), "Redis replicas that must have a commit before it is acknowledged"),
    )
    open_registration: bool = field(
        default=False, metadata=described(Switch(), "let anybody make an owner account")
    )
    registrations_per_hour: int = field(
        default=20,
        metadata=described(Whole(1, 1_000_000), "owner accounts that one address may make an hour"),
    )
    trusted_proxy: tuple[str, ...] = field(
        default=(),
        metadata=described(
            Networks(),
            "proxies whose word on a client's address is believed: addresses or networks, such as 10.0.0.0/8",
        ),
    )
    bots_per_owner: int = field(
        default=50, metadata=described(Whole(1, 1_000_000), "bots that one owner may register")
    )
    calls_per_second: int = field(
        default=100,
        metadata=described(
            Whole(1, 1_000_000), "calls a second of one caller in the long run; of one address ten times that"
        ),
    )
    calls_per_address: int = field(
        default=1_024,
        metadata=described(Whole(1, 1_000_000), "calls at a time from one address, open streams among them"),
    )
    pairing: bool = field(default=True, metadata=described(Switch(), "make rated pairs"))
    base_ms: int = field(
        default=60_000, metadata=described(MILLISECONDS, "clock of a rated game: time at its start, in ms")
    )
    increment_ms: int = field(
        default=1_000,
        metadata=described(Whole(0, 3_600_000), "clock of a rated game: time added for each own turn, in ms"),
    )
    disconnect_budget_ms: int = field(
        default=60_000, metadata=described(MILLISECONDS, "time that a seat may be away in one match, in ms")
    )
    challenge_base_ms: int = field(
        default=3_600_000,
        metadata=described(MILLISECONDS, "longest clock that a challenge may ask for: its base, in ms"),
    )
    challenge_increment_ms: int = field(
        default=60_000,
        metadata=described(Whole(0, 3_600_000), "longest increment that a challenge may ask for, in ms"),
    )
    challenges_per_owner: int = field(
        default=4,
        metadata=described(
            Whole(1, 4_096), "challenges, open or running, of one owner with one bot of another"
        ),
    )
    ladder_percent: int = field(
        default=50,
        metadata=described(
            Whole(0, 100), "part of a ladder bot's places that challenges of others leave free; 0: none"
        ),
    )
    hold_ms: int = field(
        default=600_000,
        metadata=described(
            MILLISECONDS, "time for which a clock may be held at a time in a debug challenge, in ms"
        ),
    )
    hold_total_ms: int = field(
        default=1_800_000,
        metadata=described(
            MILLISECONDS, "time for which one seat may hold its clock in one debug challenge, in ms"
        ),
    )
    offer_ms: int = field(
        default=10_000, metadata=described(MILLISECONDS, "time to be Ready after an offer, in ms")
    )
    heartbeat_ms: int = field(
        default=5_000,
        metadata=described(MILLISECONDS, "interval of heartbeats, in ms; two silent ones count as away"),
    )
    max_capacity: int = field(
        default=64, metadata=described(Whole(1, 4_096), "matches that one bot may play at once")
    )
    max_frame_bytes: int = field(
        default=1 << 20, metadata=described(Whole(4_096, 1 << 26), "largest message taken, in bytes")
    )
    queue_limit: int = field(
        default=1_024,
        metadata=described(Whole(16, 1_000_000), "events that wait for a slow reader before it is cut off"),
    )
    watch_delay_ms: int = field(
        default=0,
        metadata=described(
            Whole(0, 24 * 3_600_000), "time by which spectators of a running match are kept behind, in ms"
        ),
    )
    watch_delay_plies: int = field(
        default=0,
        metadata=described(
            Whole(0, 1_000), "decisions by which spectators of a running match are kept behind"
        ),
    )
    finished_ttl_s: int = field(
        default=7 * 86_400,
        metadata=described(Whole(60, 10 * 365 * 86_400), "time that finished matches stay in Redis, in s"),
    )
    grace_s: float = field(
        default=10.0, metadata=described(Number(0.1, 3_600.0), "time that a stop may take, in s")
    )
    log_format: LogFormat = field(
        default="console", metadata=described(Choice("console", "json"), "form of the log")
    )
    log_level: str = field(
        default="info",
        metadata=described(Choice("debug", "info", "warning", "error"), "lowest level that is logged"),
    )
    admin_init: bool = field(
        default=False,
        metadata=described(
            Switch(),
            "make and print the first administrator's token, unless it was made before",
            flag="--init",
        ),
    )

    def __post_init__(self) -> None:
        """Refuses combinations that cannot work."""
        if self.port and self.port == self.http_port and self.host == self.http_host:
            raise self.unfit("http_port", "it is the gRPC port; give them different ones")
        if (self.tls_cert is None) != (self.tls_key is None):
            given = "tls_key" if self.tls_cert is None else "tls_cert"
            raise self.unfit(given, "--tls-cert and --tls-key belong together; give both, or none")
        if self.tls_client_ca is not None and self.tls_cert is None:
            raise self.unfit("tls_client_ca", "it needs --tls-cert and --tls-key, too")
        if self.replicas_ack and self.redis_url is None:
            raise self.unfit("replicas_ack", "an embedded Redis has no replicas; give --redis, too")

    def unfit(self, name: str, words: str) -> BadSetting:
        """The error for a field whose value cannot work: names its flag and the value."""
        return BadSetting(flag(name), str(getattr(self, name)), words)

    @property
    def archive_path(self) -> Path | None:
        """Where records are exported to, None for nowhere."""
        if not self.archive:
            return None
        is_embedded = self.redis_url is None
        return self.data_dir / "archive" if is_embedded and self.archive_dir is None else self.archive_dir

    def encode(self) -> str:
        """One line of JSON from which `decode` makes an equal value: how a worker gets its settings."""
        return json.dumps(dataclasses.asdict(self), default=str)

    @classmethod
    def decode(cls, line: str) -> "Settings":
        """The settings written by `encode`."""
        values = json.loads(line)
        values["trusted_proxy"] = tuple(values["trusted_proxy"])
        for name in PATHS:
            values[name] = values[name] and Path(values[name])
        return cls(**values)


# mypy does not know the metadata's type: dataclasses declare it as a mapping to Any.
def settable() -> dict[str, "dataclasses.Field[Any]"]:
    """The fields that flags and environment can set, by name, in the order of the class."""
    return {f.name: f for f in dataclasses.fields(Settings) if "kind" in f.metadata}


def flag(name: str) -> str:
    """The flag of a field, such as `--open-registration`."""
    own = settable()[name].metadata["flag"]
    return cast(str, own) or "--" + name.replace("_", "-")
