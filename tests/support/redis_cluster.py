"""A Redis Cluster of masters on the loopback, whose slots a test moves about."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise
from typing import Any

import redis
from arena_process import wait_for
from redis_server import RedisServer
from spare_port import free_port

__all__ = ["Cluster", "ask", "clustered", "node_options", "slot_of"]

SLOTS = 16_384
AT_ONCE = 100
"""Keys that move in one go."""


def node_options() -> tuple[str, ...]:
    """Of a server that is to be a node."""
    bus = str(free_port())
    return (
        "--cluster-enabled",
        "yes",
        "--cluster-port",
        bus,
        "--appendonly",
        "yes",
        "--appendfsync",
        "always",
    )


def slot_of(bucket: int) -> int:
    return 256 * bucket + 128


def ask(node: redis.Redis, *words: object) -> Any:  # the reply has many types
    """Any command."""
    return node.execute_command(*words)  # type: ignore[no-untyped-call]


class Cluster:
    """Masters with equal shares of the slots."""

    def __init__(self, servers: list[RedisServer]) -> None:
        self.servers = servers
        self.nodes = [server.client() for server in servers]
        self.ids = [bytes(ask(node, "CLUSTER", "MYID")).decode() for node in self.nodes]

    def join(self) -> None:
        """Makes a cluster of the servers."""
        bounds = [SLOTS * n // len(self.nodes) for n in range(len(self.nodes) + 1)]
        for node, (first, end) in zip(self.nodes, pairwise(bounds), strict=True):
            ask(node, "CLUSTER", "ADDSLOTSRANGE", first, end - 1)
        for server in self.servers[1:]:
            bus = server.options[server.options.index("--cluster-port") + 1]
            ask(self.nodes[0], "CLUSTER", "MEET", "127.0.0.1", server.port, bus)

    def is_ready(self) -> bool:
        """Whether all know of all."""
        return all(
            ask(node, "CLUSTER INFO")["cluster_state"] == "ok"
            and ask(node, "CLUSTER INFO")["cluster_known_nodes"] == str(len(self.nodes))
            for node in self.nodes
        )

    def begin_move(self, slot: int, source: int, target: int) -> None:
        """From here on keys of the slot may be on either side."""
        ask(self.nodes[target], "CLUSTER", "SETSLOT", slot, "IMPORTING", self.ids[source])
        ask(self.nodes[source], "CLUSTER", "SETSLOT", slot, "MIGRATING", self.ids[target])

    def move_keys(self, slot: int, source: int, target: int, *, most: int) -> None:
        """Moves keys of the slot, `most` at most."""
        keys = ask(self.nodes[source], "CLUSTER", "GETKEYSINSLOT", slot, most)
        port = self.servers[target].port
        ask(self.nodes[source], "MIGRATE", "127.0.0.1", port, "", 0, 5_000, "KEYS", *keys)

    def end_move(self, slot: int, target: int) -> None:
        """The slot belongs to its new master."""
        for node in (self.nodes[target], *self.nodes):
            ask(node, "CLUSTER", "SETSLOT", slot, "NODE", self.ids[target])

    def move(self, slot: int, source: int, target: int) -> None:
        """Moves a slot with all of its keys, however many come meanwhile."""
        self.begin_move(slot, source, target)
        self.finish_move(slot, source, target)

    def finish_move(self, slot: int, source: int, target: int) -> None:
        """Moves what is left of a slot that is being moved."""
        while ask(self.nodes[source], "CLUSTER", "COUNTKEYSINSLOT", slot):
            self.move_keys(slot, source, target, most=AT_ONCE)
        self.end_move(slot, target)

    def owner(self, slot: int) -> int:
        """Which node has a slot, by itself."""
        mine = [
            index
            for index, node in enumerate(self.nodes)
            for first, last, master, *_ in ask(node, "CLUSTER", "SLOTS")
            if first <= slot <= last and int(master[1]) == self.servers[index].port
        ]
        assert len(mine) == 1, (slot, mine)
        return mine[0]


@contextmanager
def clustered(servers: list[RedisServer]) -> Iterator[Cluster]:
    """A cluster of servers that run; they are killed at the end of the block."""
    found = Cluster(servers)
    try:
        found.join()
        wait_for("the nodes to know of each other", found.is_ready)
        yield found
    finally:
        for node in found.nodes:
            node.close()
        for server in servers:
            server.kill()
