"""Queries of dashboard and alerts ask for metrics that the server has."""

import re
from pathlib import Path
from typing import Any

import yaml
from targi_server.metrics import Metrics, SupervisorMetrics, exposition

# Any: documents of foreign formats.
Document = dict[str, Any]

METRIC = re.compile(r"\btargi_\w+")


def shown() -> set[str]:
    """Names of all samples that a scrape can have."""
    text = exposition(None, Metrics().registry, SupervisorMetrics().registry).decode()
    names = set()
    for name, kind in re.findall(r"^# TYPE (\S+) (\w+)$", text, re.M):
        names |= {f"{name}_bucket", f"{name}_sum", f"{name}_count"} if kind == "histogram" else {name}
    return names


def test_every_metric_that_is_asked_for_exists(queries: dict[str, str]) -> None:
    known = shown()
    asked = {name: set(METRIC.findall(query)) for name, query in queries.items()}
    assert {name: metrics - known for name, metrics in asked.items() if metrics - known} == {}
    assert all(metrics or "up{" in queries[name] for name, metrics in asked.items())


def test_every_metric_is_asked_for(queries: dict[str, str]) -> None:
    asked = {metric for query in queries.values() for metric in METRIC.findall(query)}
    stems = {re.sub(r"_(bucket|sum|count)$", "", metric) for metric in asked}
    known = {re.sub(r"_(bucket|sum|count)$", "", name) for name in shown() if not name.endswith("_created")}
    assert known - stems == set()


def test_quantiles_of_rates_keep_the_bound(queries: dict[str, str]) -> None:
    for name, query in queries.items():
        if "histogram_quantile" in query:
            assert re.search(r"sum by \([^)]*\ble\)", query), name


def test_every_alert_says_how_bad_it_is_what_is_wrong_and_what_to_do(alerts: list[Document]) -> None:
    assert len({rule["alert"] for rule in alerts}) == len(alerts) >= 5
    for rule in alerts:
        assert rule["labels"]["severity"] in ("page", "ticket")
        assert rule["annotations"]["summary"].endswith((".", ")."))
        assert len(rule["annotations"]["description"]) > 20


def test_every_alert_is_tested_to_fire_and_to_be_silent(alerts: list[Document], deploy: Path) -> None:
    tests = yaml.safe_load((deploy / "prometheus" / "alerts_test.yml").read_text())["tests"]
    cases = [case for test in tests for case in test["alert_rule_test"]]
    names = {rule["alert"] for rule in alerts}
    assert {case["alertname"] for case in cases if case["exp_alerts"]} == names
    assert {case["alertname"] for case in cases if not case["exp_alerts"]} == names
