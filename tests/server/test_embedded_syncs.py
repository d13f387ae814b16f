"""How the speed of the disk is measured and told."""

import logging
from pathlib import Path

import pytest
from targi_server.embedded.syncs import Syncs, measure
from targi_server.metrics import SupervisorMetrics, exposition
from targi_server.settings import Settings
from targi_server.supervisor import note_syncs

SLOW = Syncs(tuple(0.006 + n / 1e6 for n in range(20)))
FAST = Syncs((0.0001,) * 18 + (0.5, 0.6))


def test_twenty_syncs_are_timed_and_no_file_is_left(tmp_path: Path) -> None:
    syncs = measure(tmp_path)
    assert len(syncs.seconds) == 20
    assert 0 < syncs.seconds[0] <= syncs.median <= syncs.worst
    assert list(tmp_path.iterdir()) == []


def test_a_slow_disk_is_warned_of_with_the_way_out(caplog: pytest.LogCaptureFixture) -> None:
    note_syncs(SLOW, Settings(), SupervisorMetrics())
    (record,) = caplog.records
    assert record.levelno == logging.WARNING
    assert "fsync takes 6.01 ms" in record.message
    assert "--durability everysec" in record.message


def test_whoever_does_not_sync_at_each_commit_is_not_warned(caplog: pytest.LogCaptureFixture) -> None:
    note_syncs(SLOW, Settings(durability="everysec"), SupervisorMetrics())
    assert not caplog.records


def test_one_slow_sync_among_many_is_no_slow_disk() -> None:
    assert not FAST.is_slow
    assert FAST.worst == 0.6


def test_median_and_worst_are_exported() -> None:
    metrics = SupervisorMetrics()
    note_syncs(FAST, Settings(), metrics)
    text = exposition(None, metrics.registry).decode()
    assert 'targi_fsync_seconds{which="median"} 0.0001\n' in text
    assert 'targi_fsync_seconds{which="worst"} 0.6\n' in text
