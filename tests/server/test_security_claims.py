"""What the guide and the page on security claim: tests, settings, metrics, keys and files that they name."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest
from play_client import arena
from targi_server.commands.admin import ACTS, TOKEN_ACTS
from targi_server.errors import BadToken
from targi_server.lobby.limits import ChallengeLimits
from targi_server.match.clock import HoldLimits
from targi_server.metrics import Metrics, SupervisorMetrics
from targi_server.play.intake import A_SECOND, A_SECOND_AND_MATCH
from targi_server.rpc.limits import CallLimits
from targi_server.settings import Settings, flag, settable
from targi_server.store.keys import account_key, audit_key

ROOT = Path(__file__).resolve().parents[2]
GUIDE = ROOT / "server" / "README.md"
SECURITY = ROOT / "server" / "SECURITY.md"
PAGES = (GUIDE, SECURITY, ROOT / "server" / "FAULTS.md")


def names_in(path: Path) -> set[str]:
    functions = (ast.FunctionDef, ast.AsyncFunctionDef)
    return {node.name for node in ast.parse(path.read_text()).body if isinstance(node, functions)}


def test_every_attack_that_is_named_is_a_test() -> None:
    named = set(re.findall(r"`(test_\w+)`", SECURITY.read_text()))
    found = set().union(*(names_in(path) for path in (ROOT / "tests").rglob("test_*.py")))
    assert len(named) > 40
    assert named - found == set()


def test_every_limit_has_the_default_that_is_written() -> None:
    text = SECURITY.read_text()
    defaults = {
        "--calls-per-second": CallLimits().per_second,
        "--calls-per-address": CallLimits().per_address,
        "--registrations-per-hour": Settings().registrations_per_hour,
        "--bots-per-owner": Settings().bots_per_owner,
        "--max-capacity": Settings().max_capacity,
        "--queue-limit": Settings().queue_limit,
        "--challenge-base-ms": ChallengeLimits().base_ms,
        "--challenge-increment-ms": ChallengeLimits().increment_ms,
        "--challenges-per-owner": ChallengeLimits().of_one_owner,
        "--ladder-percent": ChallengeLimits().ladder_percent,
        "--hold-ms": HoldLimits().each_ms,
        "--hold-total-ms": HoldLimits().in_all_ms,
    }
    for option, default in defaults.items():
        assert re.search(rf"\| {default:,} \| `{option}` \|", text), option
    assert CallLimits().per_second == Settings().calls_per_second
    assert CallLimits().per_address == Settings().calls_per_address
    assert ChallengeLimits() == ChallengeLimits.of(Settings())
    assert HoldLimits() == (Settings().hold_ms, Settings().hold_total_ms)
    assert f"| {CallLimits().per_caller} | - |" in text
    assert f"| {A_SECOND:,}, and {A_SECOND_AND_MATCH} for each match of its capacity |" in text


@pytest.mark.parametrize("name", settable())
def test_every_setting_is_in_the_guide(name: str) -> None:
    assert f"`{flag(name)}`" in GUIDE.read_text()


def test_every_metric_is_in_the_guide() -> None:
    text = GUIDE.read_text()
    for registry in (Metrics().registry, SupervisorMetrics().registry):
        for family in registry.collect():
            name = f"{family.name}_total" if family.type == "counter" else family.name
            assert f"`{name}" in text, name


def test_every_act_of_administrators_is_in_the_guide() -> None:
    text = GUIDE.read_text()
    assert all(f"`targi admin {name}" in text or f"`{name} " in text for name in ACTS)
    assert all(f"token {name} NAME`" in text or f"`{name} NAME`" in text for name in TOKEN_ACTS)


def test_the_keys_that_are_named_are_those_that_are_used() -> None:
    text = GUIDE.read_text()
    assert audit_key() in text
    assert account_key("admin", "admin") in text


async def test_a_lost_first_token_is_replaced_as_the_guide_says(redis_url: str) -> None:
    key = re.search(r"`DEL '(\S+)'`", GUIDE.read_text())
    assert key is not None
    async with arena(redis_url) as here:
        accounts = here.service.parts.accounts
        lost = await accounts.first_admin()
        assert lost is not None
        await here.service.store.commands.command("DEL", key[1])
        again = await accounts.first_admin()
        assert again is not None
        assert (await accounts.authenticate(again)).is_admin
        with pytest.raises(BadToken):
            await accounts.authenticate(lost)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.name))
def test_links_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)]+)\)", page.read_text()):
        path, _, anchor = target.partition("#")
        linked = (page.parent / path).resolve() if path else page
        assert linked.exists(), target
        headings = re.findall(r"^#+ (.+)$", linked.read_text(), re.MULTILINE) if anchor else []
        slugs = {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}
        assert not anchor or anchor in slugs, target
