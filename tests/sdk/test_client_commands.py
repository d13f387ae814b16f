"""`targi owner`, `bot`, `standings` and `challenge` against a real port."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from fake_accounts import FakeAccounts
from fake_arena import FakeArena, fake_arena
from fake_match import FakeMatch
from targi.v1 import lobby_service_pb2
from targi_sdk.cli import main
from targi_sdk.client.address import Address
from targi_sdk.commands.tokens import Keyring
from targi_sdk.credentials import Credentials


@pytest.fixture
def accounts() -> FakeAccounts:
    return FakeAccounts()


@pytest.fixture
async def server(
    accounts: FakeAccounts, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[FakeArena]:
    """An arena with accounts, which `TARGI_SERVER` names; tokens are kept in the test's directory."""
    async with fake_arena(accounts.add_to) as running:
        monkeypatch.setenv("TARGI_SERVER", running.address)
        monkeypatch.setenv("TARGI_HOME", str(tmp_path))
        monkeypatch.delenv("TARGI_TOKEN", raising=False)
        yield running


@pytest.fixture
def kept(tmp_path: Path) -> Credentials:
    return Credentials(tmp_path / "credentials.json")


async def targi(*arguments: str) -> int:
    """Run a command as its own thread would; the fake server lives in this one."""
    return await asyncio.to_thread(main, arguments)


async def test_an_owner_and_a_bot_are_made_and_their_tokens_kept(
    server: FakeArena, accounts: FakeAccounts, kept: Credentials, capsys: pytest.CaptureFixture[str]
) -> None:
    assert await targi("owner", "create", "ann") == 0
    assert await targi("bot", "register", "ann-one", "--json") == 0
    assert kept.owners(server.address) == {"ann": "owner-ann"}
    assert kept.bots(server.address) == {"ann-one": "bot-ann-one"}
    assert [token for token, _ in accounts.asked] == ["", "owner-ann"]
    out = capsys.readouterr().out
    text, document = out.split("\n", 1)
    assert "owner ann made" in text
    assert json.loads(document)["token"] == "bot-ann-one"


async def test_a_new_token_replaces_the_kept_one(server: FakeArena, kept: Credentials) -> None:
    kept.save_owner(server.address, "ann", "owner-ann")
    kept.save_bot(server.address, "ann-one", "old")
    assert await targi("bot", "token", "ann-one") == 0
    assert kept.bots(server.address) == {"ann-one": "new-ann-one"}


async def test_a_taken_name_is_said_in_the_servers_words(
    server: FakeArena, accounts: FakeAccounts, kept: Credentials, capsys: pytest.CaptureFixture[str]
) -> None:
    accounts.taken.add("ann")
    assert await targi("owner", "create", "ann") == 1
    assert capsys.readouterr().err == "targi: the name ann is taken\n"
    assert kept.owners(server.address) == {}


async def test_without_an_owner_the_command_says_how_to_make_one(
    server: FakeArena, capsys: pytest.CaptureFixture[str]
) -> None:
    assert await targi("bot", "register", "ann-one") == 1
    assert "targi owner create NAME" in capsys.readouterr().err


async def test_of_several_owners_one_must_be_named(
    server: FakeArena, accounts: FakeAccounts, kept: Credentials, capsys: pytest.CaptureFixture[str]
) -> None:
    kept.save_owner(server.address, "ann", "owner-ann")
    kept.save_owner(server.address, "bob", "owner-bob")
    assert await targi("bot", "register", "robot") == 1
    assert "(ann, bob): give --owner NAME" in capsys.readouterr().err
    assert await targi("bot", "register", "robot", "--owner", "bob") == 0
    assert accounts.asked[-1][0] == "owner-bob"


async def test_the_environments_token_wins(
    server: FakeArena, accounts: FakeAccounts, kept: Credentials, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept.save_owner(server.address, "ann", "owner-ann")
    monkeypatch.setenv("TARGI_TOKEN", "from-outside")
    assert await targi("bot", "register", "robot") == 0
    assert accounts.asked[-1][0] == "from-outside"


@pytest.fixture
def no_signals(monkeypatch: pytest.MonkeyPatch) -> None:
    """The command runs in a thread here, where Python takes no signal handlers."""
    monkeypatch.setattr("targi_sdk.client.stopping.SIGNALS", ())


async def run_once(server: FakeArena, *options: str) -> tuple[int, str]:
    """`targi bot run` for one match that its opponent resigns; the exit code and the token it came with."""
    command = asyncio.create_task(targi("bot", "run", "trial_bots:First", "--games", "1", *options))
    line, match = await server.welcomed(), FakeMatch()
    await line.say(match.started())
    await line.hear("act")
    await line.say(match.ended("1-0", "resigned", "1"))
    line.end()
    return await command, str(line.token)


@pytest.mark.usefixtures("no_signals")
async def test_one_command_registers_and_plays(
    server: FakeArena, accounts: FakeAccounts, kept: Credentials
) -> None:
    run = "--register", "--owner", "ann", "--name", "robot"
    assert await run_once(server, *run) == (0, "Bearer bot-robot")
    assert kept.owners(server.address) == {"ann": "owner-ann"}
    assert await run_once(server, *run) == (0, "Bearer bot-robot")
    assert [type(request).__name__ for _, request in accounts.asked] == [
        "CreateOwnerRequest",
        "RegisterBotRequest",
    ]


@pytest.mark.usefixtures("no_signals")
async def test_the_name_of_a_bot_follows_from_its_class(server: FakeArena, kept: Credentials) -> None:
    kept.save_bot(server.address, "first", "bot-first")
    assert await run_once(server) == (0, "Bearer bot-first")


async def test_an_unregistered_bot_is_told_how_to_register(
    server: FakeArena, capsys: pytest.CaptureFixture[str]
) -> None:
    assert await targi("bot", "run", "trial_bots:First") == 1
    err = capsys.readouterr().err
    assert "targi bot register first" in err
    assert "--register" in err


async def test_a_name_that_is_taken_leads_to_the_option_that_gives_another(
    server: FakeArena, accounts: FakeAccounts, capsys: pytest.CaptureFixture[str]
) -> None:
    accounts.taken.add("robot")
    run = "bot", "run", "trial_bots:First", "--register", "--owner", "ann", "--name", "robot"
    assert await targi(*run) == 1
    words = "the bot name 'robot' is taken, and its token is not kept here: choose another with --name NAME"
    assert capsys.readouterr().err == f"targi: {words}\n"


async def test_an_owner_that_is_taken_leads_to_the_option_that_gives_another(
    server: FakeArena, accounts: FakeAccounts, capsys: pytest.CaptureFixture[str]
) -> None:
    accounts.taken.add("ann")
    assert await targi("bot", "run", "trial_bots:First", "--register", "--owner", "ann") == 1
    assert "choose another with --owner NAME" in capsys.readouterr().err


async def test_commands_that_register_for_one_owner_at_once_share_it(
    server: FakeArena, accounts: FakeAccounts, kept: Credentials
) -> None:
    keyring = Keyring({"TARGI_HOME": str(kept.path.parent)}, Address.parse(server.address))
    bots = [f"robot-{number}" for number in range(6)]
    tokens = await asyncio.gather(*(asyncio.to_thread(keyring.registered, bot, "ann") for bot in bots))
    assert tokens == [f"bot-{bot}" for bot in bots]
    assert kept.owners(server.address) == {"ann": "owner-ann"}
    assert set(kept.bots(server.address)) == set(bots)


async def test_a_token_that_another_command_keeps_a_moment_later_is_used(
    server: FakeArena, accounts: FakeAccounts, kept: Credentials
) -> None:
    keyring = Keyring({"TARGI_HOME": str(kept.path.parent)}, Address.parse(server.address))
    accounts.taken.add("ann")  # made by another command, which has not kept its token yet
    command = asyncio.create_task(asyncio.to_thread(keyring.registered, "robot", "ann"))
    async with asyncio.timeout(10):
        while not accounts.asked:  # noqa: ASYNC110 (there is no event to wait for)
            await asyncio.sleep(0)
    kept.save_owner(server.address, "ann", "owner-ann")
    assert await command == "bot-robot"
    assert accounts.asked[-1][0] == "owner-ann"


async def test_closed_registration_is_said_in_the_servers_words(
    server: FakeArena, accounts: FakeAccounts, capsys: pytest.CaptureFixture[str]
) -> None:
    accounts.open_registration = False
    assert await targi("bot", "run", "trial_bots:First", "--register", "--owner", "ann") == 1
    assert "owners are made by administrators here" in capsys.readouterr().err


async def test_a_bot_that_does_not_exist_is_refused_before_anything_is_registered(
    server: FakeArena, accounts: FakeAccounts, capsys: pytest.CaptureFixture[str]
) -> None:
    assert await targi("bot", "run", "no_such_bot", "--register") == 2
    assert "no bot is called 'no_such_bot'" in capsys.readouterr().err
    assert not accounts.asked


async def test_standings_are_a_table_or_a_document(
    server: FakeArena, capsys: pytest.CaptureFixture[str]
) -> None:
    assert await targi("standings", "--ruleset", "mixed") == 0
    text = capsys.readouterr().out
    assert "ann-one" in text
    assert "provisional, online" in text
    assert await targi("standings", "--json") == 0
    document = json.loads(capsys.readouterr().out)
    assert document["pairs"] == 40
    assert document["standings"][0] == {
        "rank": 1, "bot": "ann-one", "version": "1.2", "owner": "ann", "rating": 1543, "low": 1501,
        "high": 1585, "pairs": 40, "score": 0.625, "provisional": True, "anchor": False, "online": True,
    }  # fmt: skip


async def test_a_challenge_says_which_matches_come_of_it(
    server: FakeArena, accounts: FakeAccounts, kept: Credentials, capsys: pytest.CaptureFixture[str]
) -> None:
    kept.save_bot(server.address, "robot", "bot-robot")
    assert await targi("challenge", "send", "ann-one", "--mirrored", "--time", "30+2") == 0
    token, request = accounts.asked[-1]
    assert isinstance(request, lobby_service_pb2.ChallengeRequest)
    assert (token, request.challenger, request.opponent) == ("bot-robot", "robot", "ann-one")
    assert (request.mirrored, request.time_control.base_ms) == (True, 30_000)
    assert (list(request.seeds), request.opening) == ([], b"")
    out = capsys.readouterr().out
    assert out == ("challenge c1 sent to ann-one; match m1 starts as soon as both bots are ready, then m2\n")
    assert await targi("challenge", "send", "ann-one", "--json") == 0
    assert json.loads(capsys.readouterr().out) == {"challenge_id": "c1", "match_ids": ["m1"]}


async def test_a_challenge_may_give_its_seeds(
    server: FakeArena, accounts: FakeAccounts, kept: Credentials
) -> None:
    kept.save_bot(server.address, "robot", "bot-robot")
    seeds = "--seed", "01" * 32, "--seed", "02" * 32, "--opening", "03" * 32
    assert await targi("challenge", "send", "ann-one", "--mirrored", *seeds) == 0
    _, request = accounts.asked[-1]
    assert isinstance(request, lobby_service_pb2.ChallengeRequest)
    assert list(request.seeds) == [b"\1" * 32, b"\2" * 32]
    assert request.opening == b"\3" * 32


@pytest.mark.parametrize(
    "words",
    [(), ("ann-one", "--seed", "7"), ("ann-one", "--opening", "x" * 64)],
    ids=["nobody", "seed", "opening"],
)
async def test_a_challenge_to_nobody_or_with_no_seed_is_a_usage_error(
    server: FakeArena, accounts: FakeAccounts, kept: Credentials, words: tuple[str, ...]
) -> None:
    kept.save_bot(server.address, "robot", "bot-robot")
    assert await targi("challenge", "send", *words) == 2
    assert not accounts.asked


async def test_a_server_that_is_not_there_is_said_in_one_line(
    server: FakeArena, capsys: pytest.CaptureFixture[str]
) -> None:
    await server.stop()
    assert await targi("standings") == 1
    assert capsys.readouterr().err.startswith(f"targi: nobody listens at {server.address}")


@pytest.mark.parametrize(
    "option", [("--capacity", "0"), ("--games", "none"), ("--server", "a/b"), ("--workers", "-1")]
)
async def test_a_wrong_option_ends_with_2(
    server: FakeArena, option: tuple[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert await targi("bot", "run", "trial_bots:First", *option) == 2
    assert capsys.readouterr().err
