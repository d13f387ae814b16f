"""All metrics of the server, and the only place that knows `prometheus_client`.

A worker has one `Metrics`; the supervisor has one `SupervisorMetrics`. With PROMETHEUS_MULTIPROC_DIR set
before a worker's interpreter starts, its values live in files of that directory, and `exposition` adds up all
workers. Figures of one process (gauges) carry the label `worker`, "0" to "N-1". Label values are bounded:
names from the code's own tables, never an id.
"""

import sys
from bisect import bisect_left
from collections import Counter as Counts
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Final

from prometheus_client import (
    CONTENT_TYPE_LATEST,
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    generate_latest,
)
from prometheus_client.multiprocess import MultiProcessCollector, mark_process_dead

__all__ = ["CONTENT_TYPE", "Metrics", "SupervisorMetrics", "WorkerGauge", "exposition", "forget_worker"]

CONTENT_TYPE: Final = CONTENT_TYPE_LATEST

LATENCY = (0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0)
"""Bounds in seconds for what the server does by itself."""
TURN_MS = (0.5, 1, 2, 3, 4, 5, 6, 8, 10, 12.5, 15, 17.5, 20, 25, 30, 40, 50, 75, 100, 150, 200)
TURN = (*(bound / 1000 for bound in TURN_MS), 0.5, 1.0, 2.0, 5.0)
"""The same for a turn: fine around its goal, 20 ms, so that a quantile between two bounds means something."""
THINKING = (0.001, 0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0, 120.0)
"""Bounds in seconds for what bots and the matchmaker take."""
GROUP = (1, 2, 4, 8, 16, 32, 64, 128, 256, 512)
"""Bounds for the number of commands in one commit."""

# Label values that are shown from the start, so that a rate sees the first of them: what alerts look at.
TERMINATIONS = ("normal", "resigned", "time", "illegal", "bot_error", "abandoned", "aborted", "server_error")
OFFERS = ("made", "started", "lapsed")
TROUBLES = ("lost", "busy", "no_script", "refused")
EXPORT_FAILURES = ("unwritable", "unreadable", "lost")


class WorkerGauge:
    """A gauge of this process with further labels: `labels("base").set(3)`."""

    def __init__(self, gauge: Gauge, worker: str) -> None:
        self._gauge = gauge
        self._worker = worker

    def labels(self, *values: str, **named: str) -> Gauge:
        """The gauge of these label values, given in order or by name."""
        if named:
            return self._gauge.labels(worker=self._worker, **named)
        return self._gauge.labels(self._worker, *values)


class GroupHistogram(Histogram):
    """A histogram that takes many values at once.

    In multiprocess mode each change of a number is one of a file in memory and costs microseconds; values
    that fall into one bucket are one change.
    """

    def observe_all(self, values: Sequence[float]) -> None:
        """The same as `observe` for each; only for a histogram without labels."""
        if values:
            self._sum.inc(sum(values))
            for place, count in Counts(bisect_left(self._upper_bounds, value) for value in values).items():
                self._buckets[place].inc(count)


class Metrics:
    """The metrics of one worker, by attribute; see each help text for what is counted when.

    `worker` is the worker's number in words. Without multiprocess mode (tests) each value has a registry of
    its own, `registry`, so that several servers can live in one process.
    """

    def __init__(self, worker: str = "0") -> None:
        self.worker = worker
        self.registry = CollectorRegistry()
        self._matches()
        self._times()
        self._exports()
        self._traffic()
        self._process()

    def _matches(self) -> None:
        self.matches_running = self._worker_gauge("matches_running", "Matches with a seat here", "ruleset")
        self.matches_elsewhere = self._worker_gauge(
            "matches_elsewhere", "Matches for which this server has other rules, by state", "state"
        )
        self.matches_started_total = self._counter("matches_started", "Matches dealt", "ruleset", "kind")
        self.matches_ended_total = self._counter("matches_ended", "Matches over", "termination")
        self.actions_total = self._counter("actions", "Actions committed", "ruleset")
        self.offers_total = self._counter("offers", "Offers by what became of them", "outcome")
        self.rejections_total = self._counter("rejections", "Events and calls refused", "reason")
        from_zero(self.matches_ended_total, TERMINATIONS)
        from_zero(self.offers_total, OFFERS)

    def _times(self) -> None:
        self.turn_seconds = self._histogram(
            "turn_seconds", "Server's share of a turn: answer received, committed, next turn queued", TURN
        )
        self.think_seconds = self._histogram(
            "think_seconds", "From a turn's queueing to its answer's arrival", THINKING
        )
        self.commit_seconds = self._histogram("commit_seconds", "One group commit to Redis", LATENCY)
        self.commit_batch_size = self._histogram("commit_batch_size", "Commands in one group commit", GROUP)
        self.clock_out_seconds = self._histogram(
            "clock_out_seconds", "Uncharged: previous commit until the turn is queued", LATENCY
        )
        self.clock_in_seconds = self._histogram(
            "clock_in_seconds", "Uncharged: arrival of an answer until its commit", LATENCY
        )
        self.pair_wait_seconds = self._histogram(
            "pair_wait_seconds", "Time that a bot with capacity waited for a pair", THINKING
        )
        self.rating_seconds = self._histogram("rating_seconds", "One fit of all ratings", THINKING)

    def _exports(self) -> None:
        self.records_exported_total = self._counter("records_exported", "Records in the archive directory")
        self.export_failures_total = self._counter("export_failures", "Exports that failed", "reason")
        from_zero(self.export_failures_total, EXPORT_FAILURES)
        self.export_pending = self._own_gauge("export_pending", "Finished matches that wait for export")
        self.export_lag_seconds = self._own_gauge(
            "export_lag_seconds", "Since the end of the oldest match that waits for export"
        )

    def _traffic(self) -> None:
        self.streams = self._own_gauge("streams", "Open Play streams")
        self.sessions_online = self._own_gauge("sessions_online", "Bots that said Hello and are here")
        self.queue_waiting = self._own_gauge("queue_waiting", "Events in outgoing queues")
        self.redis_errors_total = self._counter("redis_errors", "Failed commands and connections", "kind")
        from_zero(self.redis_errors_total, TROUBLES)
        self.rpc_total = self._counter("rpc", "Calls that ended", "method", "code")
        self.rpc_seconds = self._histogram("rpc_seconds", "Calls, from start to end", LATENCY, "method")

    def _process(self) -> None:
        self.loop_lag_seconds = self._own_gauge("loop_lag_seconds", "Delay of the event loop, worst of late")
        self.build_info = self._worker_gauge("build_info", "Always 1", "version", "python")
        python = ".".join(map(str, sys.version_info[:3]))
        self.build_info.labels(version("targi"), python).set(1)

    def _counter(self, name: str, words: str, *labels: str) -> Counter:
        return Counter(f"targi_{name}", words, labels, registry=self.registry)

    def _histogram(self, name: str, words: str, buckets: Sequence[float], *labels: str) -> GroupHistogram:
        return GroupHistogram(f"targi_{name}", words, labels, buckets=buckets, registry=self.registry)

    def _worker_gauge(self, name: str, words: str, *labels: str) -> WorkerGauge:
        return WorkerGauge(self._gauge(name, words, *labels), self.worker)

    def _own_gauge(self, name: str, words: str) -> Gauge:
        return self._gauge(name, words).labels(self.worker)

    def _gauge(self, name: str, words: str, *labels: str) -> Gauge:
        # livesum: the file of a dead process no longer counts, and no label with a pid is added.
        return Gauge(
            f"targi_{name}", words, ("worker", *labels), registry=self.registry, multiprocess_mode="livesum"
        )


def from_zero(counter: Counter, values: Sequence[str]) -> None:
    """Shows these values of the counter's one label before anything is counted."""
    for value in values:
        counter.labels(value)


class SupervisorMetrics:
    """The metrics of the supervisor, by attribute."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self.child_restarts_total = Counter(
            "targi_child_restarts",
            "Children that died and were started again",
            ("child",),
            registry=self.registry,
        )
        self.children = Gauge("targi_children", "Children that are ready", ("child",), registry=self.registry)
        self.fsync_seconds = Gauge(
            "targi_fsync_seconds",
            "fsync in the data directory at start",
            ("which",),
            registry=self.registry,
        )


def exposition(directory: Path | None, *registries: CollectorRegistry) -> bytes:
    """Text for a scrape: what the workers wrote to the directory, if one is given, then the registries."""
    merged = CollectorRegistry()
    if directory is not None:
        MultiProcessCollector(merged, path=str(directory))  # type: ignore[no-untyped-call]
    return b"".join(generate_latest(registry) for registry in (merged, *registries))


def forget_worker(pid: int, directory: Path) -> None:
    """Takes a dead worker's gauges out of the directory; what it counted stays."""
    mark_process_dead(pid, path=str(directory))  # type: ignore[no-untyped-call]
