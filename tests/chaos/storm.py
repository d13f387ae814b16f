"""Carries out a plan: each fault in a thread of its own, and a ledger of what was done when."""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from faults import FAULTS, Field, MissedError
from notebook import now_ms
from plan import KINDS, Fault

__all__ = ["Done", "Storm"]

SERVICE = "service"


@dataclass(frozen=True, slots=True)
class Done:
    """A fault that was done. Times are the right wall clock's, in ms."""

    kind: str
    who: str
    """The bot, or "service"."""
    from_ms: int
    until_ms: int
    """When it was healed, as far as that is in the storm's hands."""


@dataclass
class Storm:
    """One run of a plan. `tell` hears each fault in words."""

    ground: Field
    plan: Sequence[Fault]
    tell: Callable[[str], None]
    ledger: list[Done] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)
    threads: list[threading.Thread] = field(default_factory=list)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def run(self, seconds: float) -> None:
        """Does all faults at their times; returns once all are healed and the time is over."""
        begun = time.monotonic()
        for fault in self.plan:
            time.sleep(max(0.0, begun + fault.at_s - time.monotonic()))
            thread = threading.Thread(target=self.do, args=(fault,), name=fault.kind)
            self.threads.append(thread)
            thread.start()
        time.sleep(max(0.0, begun + seconds - time.monotonic()))
        for thread in self.threads:
            thread.join()

    def do(self, fault: Fault) -> None:
        """One fault, from its begin until it is healed."""
        from_ms = now_ms()
        who = self.ground.bot(fault).name if KINDS[fault.kind].on == "bot" else SERVICE
        try:
            with FAULTS[fault.kind](self.ground, fault):
                self.tell(f"{fault.kind} {who} {fault.target} for {fault.lasts_s:.1f} s")
                time.sleep(fault.lasts_s)
        except MissedError as error:
            self.tell(f"{fault.kind} missed {error}")
        except Exception as error:  # the border of the thread: the run goes on and fails at its end
            with self.lock:
                self.failures.append(f"{fault.kind} was not healed: {type(error).__name__}: {error}")
        else:
            with self.lock:
                self.ledger.append(Done(fault.kind, who, from_ms, now_ms()))

    @property
    def counts(self) -> Counter[str]:
        """Faults done, by kind."""
        return Counter(done.kind for done in self.ledger)
