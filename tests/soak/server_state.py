"""What can be seen of a server from outside: memory, keys, complaints in its log and metrics."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import redis
from arena_process import Arena
from targi_server.store.buckets import BUCKETS

__all__ = ["Snapshot", "complaints", "growth", "play_codes", "snapshot", "warnings"]

MEMORY_GROWTH: Final = 1.10
"""Of the worker at rest: what malloc keeps of the largest moments; 1.04 to 1.05 is usual."""
KEYS_GROWN: Final = 12
"""Keys of a kind that the neighbours' match may have at one moment and not at another.

Of what there is one of a bucket there may be as many as there are buckets.
"""
ID: Final = re.compile(r"\{b[^}]*\}|[0-9a-f]{16,}|hostile-\d+")
HOT: Final = re.compile(r":m:[0-9a-f]+:(head|live|log|memo|end|story)$|:match:[0-9a-f]+:notes$")
BAD_LINE: Final = re.compile(r"Traceback|\b(ERROR|CRITICAL)\b|never retrieved|Exception ignored|Fatal")
BAD_METRIC: Final = re.compile(
    r'^targi_(rpc_total\{.*code="(INTERNAL|UNKNOWN)"|rejections_total\{reason="INTERNAL"'
    r'|matches_ended_total\{termination="server_error").* (?!0\.0$)\S+$',
    re.MULTILINE,
)


@dataclass(frozen=True)
class Snapshot:
    """A moment of a server."""

    rss: int
    """Bytes of the worker."""
    lasting: Counter[str]
    """Keys that nothing but the server takes away again, by kind."""
    hot: int
    """Keys of running matches."""


def snapshot(server: Arena) -> Snapshot:
    """Look at the server now."""
    lasting: Counter[str] = Counter()
    hot = 0
    for name, lives in keys(server):
        hot += bool(HOT.search(name))
        lasting[ID.sub("*", name)] += lives == -1
    return Snapshot(server.find("worker").memory_info().rss, +lasting, hot)


def keys(server: Arena) -> Iterator[tuple[str, int]]:
    """Names of all keys of the embedded Redis, with the seconds that they have to live; -1: for good."""
    socket = json.loads((server.data_dir / "server.json").read_text())["socket"]
    with redis.Redis(unix_socket_path=socket, protocol=2) as client:
        names = list(client.scan_iter(count=1_000))
        for start in range(0, len(names), 1_000):
            part = names[start : start + 1_000]
            with client.pipeline(transaction=False) as pipe:
                for name in part:
                    pipe.ttl(name)
                yield from zip((name.decode() for name in part), pipe.execute(), strict=True)


def growth(snapshots: Sequence[Snapshot]) -> list[str]:
    """What grew from the first to the last that should not have."""
    if not snapshots:
        return []
    first, last = snapshots[0], snapshots[-1]
    found = []
    if last.rss > MEMORY_GROWTH * first.rss:
        found.append(f"memory of the worker grew from {first.rss >> 10} to {last.rss >> 10} kB")
    for kind, count in last.lasting.items():
        if count > max(BUCKETS, first.lasting[kind] + KEYS_GROWN):
            found.append(f"keys {kind} grew from {first.lasting[kind]} to {count}")
    if last.hot > first.hot + KEYS_GROWN:
        found.append(f"keys of running matches grew from {first.hot} to {last.hot}")
    return found


def complaints(server: Arena) -> list[str]:
    """What the log and the metrics say of failures."""
    lines = server.log_path.read_text(errors="replace").splitlines()
    found = [
        "in the log: " + "\n".join(lines[at : at + 30])
        for at, line in enumerate(lines)
        if BAD_LINE.search(line) and not line.startswith("Traceback")
    ]
    return found + [f"in the metrics: {match[0]}" for match in BAD_METRIC.finditer(server.metrics())]


def play_codes(server: Arena) -> Counter[str]:
    """Statuses with which Play streams ended, as the server counts them."""
    found = re.findall(
        r'^targi_rpc_total\{code="(\w+)",method="MatchService\.Play"\} (\S+)$', server.metrics(), re.M
    )
    return Counter({code: int(float(count)) for code, count in found})


def warnings(server: Arena) -> Counter[str]:
    """Warnings of the log, by their words."""
    lines = server.log_path.read_text(errors="replace").splitlines()
    words = (
        re.sub(r"\d+", "N", line.split("WARNING", 1)[1].split("=")[0]) for line in lines if "WARNING" in line
    )
    return Counter(part.strip()[:120] for part in words)
