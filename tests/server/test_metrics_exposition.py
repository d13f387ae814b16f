"""Metrics: what a scrape shows, over one process and over several."""

import os
import re
import subprocess
import sys
from pathlib import Path

from targi_server.match.model import Termination
from targi_server.metrics import Metrics, SupervisorMetrics, exposition, forget_worker
from targi_server.store.trouble import Trouble

WORKER = """
import os, sys
from targi_server.metrics import Metrics
metrics = Metrics(sys.argv[1])
metrics.actions_total.labels("base").inc(5)
metrics.commit_seconds.observe(0.003)
metrics.streams.set(7)
metrics.matches_running.labels(ruleset="base").set(2)
print(os.getpid())
"""

# What other modules count on: attribute, metric name, type.
PROMISED = {
    "matches_running": ("targi_matches_running", "gauge"),
    "matches_started_total": ("targi_matches_started_total", "counter"),
    "matches_ended_total": ("targi_matches_ended_total", "counter"),
    "actions_total": ("targi_actions_total", "counter"),
    "turn_seconds": ("targi_turn_seconds", "histogram"),
    "think_seconds": ("targi_think_seconds", "histogram"),
    "commit_seconds": ("targi_commit_seconds", "histogram"),
    "commit_batch_size": ("targi_commit_batch_size", "histogram"),
    "rejections_total": ("targi_rejections_total", "counter"),
    "streams": ("targi_streams", "gauge"),
    "sessions_online": ("targi_sessions_online", "gauge"),
    "offers_total": ("targi_offers_total", "counter"),
    "queue_waiting": ("targi_queue_waiting", "gauge"),
    "pair_wait_seconds": ("targi_pair_wait_seconds", "histogram"),
    "rating_seconds": ("targi_rating_seconds", "histogram"),
    "redis_errors_total": ("targi_redis_errors_total", "counter"),
    "loop_lag_seconds": ("targi_loop_lag_seconds", "gauge"),
    "rpc_total": ("targi_rpc_total", "counter"),
    "rpc_seconds": ("targi_rpc_seconds", "histogram"),
    "clock_in_seconds": ("targi_clock_in_seconds", "histogram"),
    "clock_out_seconds": ("targi_clock_out_seconds", "histogram"),
    "build_info": ("targi_build_info", "gauge"),
}


def run_worker(number: int, directory: Path) -> int:
    """A process that counts and ends; returns its pid."""
    done = subprocess.run(
        [sys.executable, "-c", WORKER, str(number)],
        env={**os.environ, "PROMETHEUS_MULTIPROC_DIR": str(directory)},
        capture_output=True,
        text=True,
        check=True,
    )
    return int(done.stdout)


def value(text: str, sample: str) -> float | None:
    found = re.search(rf"^{re.escape(sample)} (\S+)$", text, re.M)
    return float(found[1]) if found else None


def test_every_promised_metric_is_shown_with_its_type() -> None:
    metrics = Metrics()
    text = exposition(None, metrics.registry).decode()
    for attribute, (name, kind) in PROMISED.items():
        assert hasattr(metrics, attribute)
        assert f"# TYPE {name} {kind}" in text, attribute
    assert set(PROMISED) <= set(vars(metrics))


def test_what_alerts_look_at_is_shown_from_zero() -> None:
    text = exposition(None, Metrics().registry).decode()
    for word in Termination:
        assert value(text, f'targi_matches_ended_total{{termination="{word}"}}') == 0
    for trouble in Trouble:
        assert value(text, f'targi_redis_errors_total{{kind="{trouble}"}}') == 0
    assert value(text, 'targi_offers_total{outcome="lapsed"}') == 0


def test_figures_of_one_process_carry_the_worker() -> None:
    metrics = Metrics("3")
    metrics.streams.inc()
    metrics.matches_running.labels("base").inc(2)
    text = exposition(None, metrics.registry).decode()
    assert value(text, 'targi_streams{worker="3"}') == 1
    assert value(text, 'targi_matches_running{ruleset="base",worker="3"}') == 2
    assert re.search(r'^targi_build_info\{.*worker="3"\} 1\.0$', text, re.M)


def test_two_servers_in_one_process_count_apart() -> None:
    one, two = Metrics(), Metrics()
    one.actions_total.labels("base").inc()
    assert value(exposition(None, two.registry).decode(), 'targi_actions_total{ruleset="base"}') is None


def test_counters_of_all_workers_are_added_and_their_gauges_stand_apart(tmp_path: Path) -> None:
    pids = [run_worker(number, tmp_path) for number in (0, 1)]
    text = exposition(tmp_path).decode()
    assert value(text, 'targi_actions_total{ruleset="base"}') == 10
    assert value(text, "targi_commit_seconds_count") == 2
    assert value(text, 'targi_commit_seconds_bucket{le="0.005"}') == 2
    assert value(text, 'targi_streams{worker="0"}') == value(text, 'targi_streams{worker="1"}') == 7
    assert value(text, 'targi_matches_running{ruleset="base",worker="1"}') == 2
    assert not any(str(pid) in text for pid in pids)


def test_a_dead_workers_gauges_go_and_what_it_counted_stays(tmp_path: Path) -> None:
    forget_worker(run_worker(0, tmp_path), tmp_path)
    run_worker(0, tmp_path)
    text = exposition(tmp_path).decode()
    assert value(text, 'targi_streams{worker="0"}') == 7
    assert value(text, 'targi_actions_total{ruleset="base"}') == 10


def test_the_supervisors_figures_stand_beside_the_workers(tmp_path: Path) -> None:
    run_worker(0, tmp_path)
    metrics = SupervisorMetrics()
    metrics.child_restarts_total.labels("redis").inc()
    text = exposition(tmp_path, metrics.registry).decode()
    assert value(text, 'targi_child_restarts_total{child="redis"}') == 1
    assert value(text, 'targi_streams{worker="0"}') == 7
