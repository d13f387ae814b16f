"""What is ready and what is not yet."""

from targi_server.metrics import SupervisorMetrics

__all__ = ["Health"]


class Health:
    """The children by name, such as "worker", and how many of each are ready.

    The arena is ready when one of each kind is, and not when it stops.
    """

    def __init__(self, metrics: SupervisorMetrics, *kinds: str) -> None:
        self._metrics = metrics
        self._ready = dict.fromkeys(kinds, 0)
        self._stopping = False
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

    def stop(self) -> None:
        """Not ready from now on."""
        self._stopping = True

    def missing(self) -> list[str]:
        """What stands in the way; empty when the arena is ready."""
        return ["stopping"] * self._stopping + [kind for kind, count in self._ready.items() if not count]

    def _note(self, kind: str) -> None:
        self._metrics.children.labels(kind).set(self._ready[kind])
