"""What the tests of the deployment share: its files, parsed."""

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[2]

# Any: documents of foreign formats, whose shape the tests themselves check.
Document = dict[str, Any]


@pytest.fixture(scope="session")
def deploy() -> Path:
    """The directory."""
    return ROOT / "deploy"


def load(path: Path) -> Document:
    document = yaml.safe_load(path.read_text())
    assert isinstance(document, dict)
    return document


@pytest.fixture(scope="session")
def compose(deploy: Path) -> Document:
    return load(deploy / "compose.yaml")


@pytest.fixture(scope="session")
def prometheus(deploy: Path) -> Document:
    return load(deploy / "prometheus" / "prometheus.yml")


@pytest.fixture(scope="session")
def alerts(deploy: Path) -> list[Document]:
    """All alert rules."""
    groups = load(deploy / "prometheus" / "alerts.yml")["groups"]
    return [rule for group in groups for rule in group["rules"]]


@pytest.fixture(scope="session")
def dashboard(deploy: Path) -> Document:
    document = json.loads((deploy / "grafana" / "dashboards" / "targi.json").read_text())
    assert isinstance(document, dict)
    return document


@pytest.fixture(scope="session")
def queries(dashboard: Document, alerts: list[Document]) -> dict[str, str]:
    """Every query of dashboard and alerts, by a name for messages."""
    shown = {
        f"panel {panel['title']} {target['refId']} ({panel['id']})": target["expr"]
        for panel in dashboard["panels"]
        for target in panel.get("targets", [])
    }
    return shown | {f"alert {rule['alert']}": rule["expr"] for rule in alerts}
