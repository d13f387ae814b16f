"""What is ready and what is not yet."""

from collections import Counter

from targi_server.metrics import SupervisorMetrics

__all__ = ["Health"]

_ALL_DRAIN = "a worker that does not drain"


class Health:
    """The children by kind, such as "worker", and how many of each are ready; `kinds` are those that must be.

    The arena is ready from the moment that all are, for as long as one of each kind is and one worker takes
    streams, until it stops.
    """

    def __init__(self, metrics: SupervisorMetrics, *kinds: str) -> None:
        self._metrics = metrics
        self._kinds = kinds
        self._ready = Counter[str]()
        self._phase = ["starting"]
        self._without_store: set[int] = set()
        self._draining: set[int] = set()
        for kind in kinds:
            self._note(kind)
            metrics.child_restarts_total.labels(kind)  # shown from zero, for the alert

    def came(self, kind: str) -> None:
        """One more is ready."""
        self._ready[kind] += 1
        self._note(kind)

    def went(self, kind: str) -> None:
        """One less is ready."""
        self._ready[kind] -= 1
        self._note(kind)

    def go(self) -> None:
        """All are ready for the first time."""
        self._phase = []

    def stop(self) -> None:
        """Not ready from now on."""
        self._phase = ["stopping"]

    def store_gone(self, worker: int, gone: bool) -> None:
        """Whether Redis is away for a worker."""
        (self._without_store.add if gone else self._without_store.discard)(worker)

    def drains(self, worker: int, draining: bool) -> None:
        """Whether a worker sends its bots away, by an administrator's word."""
        (self._draining.add if draining else self._draining.discard)(worker)

    def missing(self) -> list[str]:
        """What stands in the way; empty when the arena is ready."""
        children = [kind for kind in self._kinds if not self._ready[kind]]
        stores = [f"store of worker {number}" for number in sorted(self._without_store)]
        return [*self._phase, *children, *stores, *([_ALL_DRAIN] if self._all_drain else [])]

    @property
    def _all_drain(self) -> bool:
        return 0 < self._ready["worker"] <= len(self._draining)

    def _note(self, kind: str) -> None:
        self._metrics.children.labels(kind).set(self._ready[kind])
