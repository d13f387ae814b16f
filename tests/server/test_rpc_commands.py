"""Every rpc that the server has is within reach of a command, and the command is the one that calls it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator, Mapping
from pathlib import Path

import pytest
from method_calls import METHODS
from play_client import Arena, arena, until
from targi.v1 import play_pb2
from targi_sdk.cli import main
from targi_server.services.account import AccountServicer
from targi_server.services.admin import AdminServicer
from targi_server.services.ladder import LadderServicer
from targi_server.services.lobby import LobbyServicer
from targi_server.services.match import MatchServicer

SERVICERS = {
    "AccountService": AccountServicer,
    "AdminService": AdminServicer,
    "LadderService": LadderServicer,
    "LobbyService": LobbyServicer,
    "MatchService": MatchServicer,
}
COMMANDS: Mapping[str, str] = {
    "MatchService.Watch": "watch MATCH",
    "MatchService.GetMatch": "match explain MATCH",
    "MatchService.ListMatches": "match list --bot bot-one",
    "MatchService.GetRecord": "records export OUT",
    "LobbyService.ListOnline": "bot online",
    "LobbyService.Challenge": "challenge send bot-two --as ann-one",
    "LadderService.GetStandings": "standings",
    "LadderService.GetBot": "bot show bot-one",
    "LadderService.ListResults": "bot results",
    "LadderService.GetHeadToHead": "bot show bot-one --against bot-two",
    "LadderService.WhyNotPaired": "bot why ann-one",
    "AccountService.CreateOwner": "owner create bob",
    "AccountService.RotateOwnerToken": "owner token ann",
    "AccountService.RegisterBot": "bot register ann-two --owner ann",
    "AccountService.RotateBotToken": "bot token ann-one",
    "AccountService.RevokeBotToken": "bot revoke ann-one",
    "AccountService.ListBots": "bot list",
    "AccountService.RetireBot": "bot retire ann-one",
    "AdminService.PausePairing": "admin pause base",
    "AdminService.ResumePairing": "admin resume",
    "AdminService.AbortMatch": "admin abort MATCH",
    "AdminService.BanBot": "admin ban bot-one --reason test",
    "AdminService.UnbanBot": "admin unban bot-one",
    "AdminService.Drain": "admin drain",
    "AdminService.CreateAdminToken": "admin token create second",
    "AdminService.RevokeAdminToken": "admin token revoke second",
}
"""The command that calls each; MATCH and OUT stand for a match that is over, and a directory."""

EXCEPTIONS: Mapping[str, str] = {
    "MatchService.Play": "`targi bot run` plays; tests/e2e and tests/sdk run it",
    "MatchService.GetCardSet": "for programs, which meet a set by its hash; people have `targi cards show`",
}
"""What no command is tested for here, and why."""


def built() -> Iterator[str]:
    """Rpcs that the server does not answer with UNIMPLEMENTED."""
    for method in METHODS:
        service = method.containing_service.name
        if hasattr(SERVICERS[service], method.name):
            yield f"{service}.{method.name}"


def test_every_rpc_that_is_built_has_a_command_or_a_reason() -> None:
    assert {*COMMANDS, *EXCEPTIONS} == set(built())
    assert not COMMANDS.keys() & EXCEPTIONS.keys()


@pytest.fixture
async def here(redis_url: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> AsyncIterator[Arena]:
    async with arena(redis_url) as found:
        monkeypatch.setenv("TARGI_SERVER", f"127.0.0.1:{found.service.port}")
        monkeypatch.setenv("TARGI_HOME", str(tmp_path / "home"))
        monkeypatch.delenv("TARGI_TOKEN", raising=False)
        yield found


async def targi(*arguments: str) -> int:
    """Run a command in a thread of its own; the server is in this one."""
    return await asyncio.to_thread(main, arguments)


async def match_over(here: Arena) -> str:
    """A match that was resigned, and is filed."""
    duel = await here.duel()
    await duel.clients[0].send(resign=play_pb2.Resign(match_id=duel.match_id))
    await here.filed(duel.match_id)
    return duel.match_id


def calls(here: Arena, rpc: str) -> float:
    """How often an rpc ended, with whatever code."""
    families = here.service.metrics.rpc_total.collect()
    samples = (sample for family in families for sample in family.samples)
    return sum(s.value for s in samples if s.name.endswith("_total") and s.labels["method"] == rpc)


@pytest.mark.parametrize("rpc", COMMANDS)
async def test_a_command_calls_its_rpc(
    here: Arena, rpc: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert await targi("owner", "create", "ann") == 0
    assert await targi("bot", "register", "ann-one") == 0
    places = {"MATCH": await match_over(here), "OUT": str(tmp_path / "out")}
    if rpc.startswith("AdminService"):
        monkeypatch.setenv("TARGI_TOKEN", await here.service.parts.accounts.create_admin("chief"))
    before = calls(here, rpc)
    await targi(*(places.get(word, word) for word in COMMANDS[rpc].split()))
    await until(lambda: calls(here, rpc) > before)
