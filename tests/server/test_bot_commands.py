"""`targi bot` and `targi owner` against a real server: accounts, and what anybody may see of a bot."""

from __future__ import annotations

import asyncio
import json
import os
import pty
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from play_client import WITHIN_S, Arena, arena
from targi.v1 import play_pb2
from targi_sdk.cli import main
from targi_sdk.credentials import Credentials


@pytest.fixture
async def here(redis_url: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> AsyncIterator[Arena]:
    async with arena(redis_url) as found:
        monkeypatch.setenv("TARGI_SERVER", f"127.0.0.1:{found.service.port}")
        monkeypatch.setenv("TARGI_HOME", str(tmp_path))
        monkeypatch.delenv("TARGI_TOKEN", raising=False)
        yield found


@pytest.fixture
def kept(here: Arena, tmp_path: Path) -> Credentials:
    return Credentials(tmp_path / "credentials.json")


@pytest.fixture
async def ann(here: Arena) -> None:
    """An owner with a bot, both made by the commands."""
    assert await targi("owner", "create", "ann") == 0
    assert await targi("bot", "register", "ann-one") == 0


def server(here: Arena) -> str:
    return f"127.0.0.1:{here.service.port}"


async def targi(*arguments: str) -> int:
    """Run a command in a thread of its own; the server is in this one."""
    return await asyncio.to_thread(main, arguments)


async def said(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """What a command prints that goes well."""
    capsys.readouterr()
    assert await targi(*arguments) == 0, capsys.readouterr().err
    return capsys.readouterr().out


async def document(capsys: pytest.CaptureFixture[str], *arguments: str) -> Any:  # JSON has no better type
    return json.loads(await said(capsys, *arguments, "--json"))


async def refused(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """What a command says that is refused."""
    capsys.readouterr()
    assert await targi(*arguments) == 1
    printed = capsys.readouterr()
    assert printed.out == ""
    return printed.err


@pytest.mark.usefixtures("ann")
async def test_the_list_tells_of_each_bot_whether_it_may_play(
    here: Arena, capsys: pytest.CaptureFixture[str]
) -> None:
    for bot in ("ann-two", "ann-three", "ann-four"):
        assert await targi("bot", "register", bot) == 0
    assert await targi("bot", "retire", "ann-two") == 0
    assert await targi("bot", "revoke", "ann-three") == 0
    await here.service.parts.bans.ban("ann-four", "it floods")
    header, *rows = (await said(capsys, "bot", "list")).splitlines()
    assert header.split() == ["bot", "state", "connected"]
    assert [row.split(maxsplit=1)[0] for row in rows] == ["ann-four", "ann-one", "ann-three", "ann-two"]
    for row, state in zip(rows, ("it floods", "active", "without a token", "retired"), strict=True):
        assert state in row
    one = (await document(capsys, "bot", "list"))[1]
    assert one == {"bot": "ann-one", "active": True, "retired": False, "paused": "", "online": False}


@pytest.mark.usefixtures("ann")
async def test_a_list_on_a_terminal_is_drawn(here: Arena) -> None:
    """In a process of its own, whose output is a terminal."""
    parent, child = pty.openpty()
    command = sys.executable, "-m", "targi_sdk.cli", "bot", "list"
    process = await asyncio.create_subprocess_exec(*command, stdout=child, env=dict(os.environ))
    assert await process.wait() == 0
    os.close(child)
    shown = await asyncio.to_thread(os.read, parent, 65_536)
    os.close(parent)
    assert "│ ann-one │ active │" in shown.decode()


@pytest.mark.usefixtures("ann")
async def test_a_revoked_token_opens_nothing_and_is_forgotten_here(
    here: Arena, kept: Credentials, capsys: pytest.CaptureFixture[str]
) -> None:
    client = here.client(kept.bots(server(here))["ann-one"])
    await client.hello()
    assert "targi bot token" in await said(capsys, "bot", "revoke", "ann-one")
    assert kept.bots(server(here)) == {}
    assert (await client.end()).reason == "BAD_TOKEN"
    assert await targi("bot", "token", "ann-one") == 0
    await here.client(kept.bots(server(here))["ann-one"]).hello()


@pytest.mark.usefixtures("ann")
async def test_a_retired_bot_starts_nothing_new(here: Arena, capsys: pytest.CaptureFixture[str]) -> None:
    assert (await document(capsys, "bot", "retire", "ann-one"))["retired"] is True
    assert "retired" in await said(capsys, "bot", "show", "ann-one")
    assert "is retired" in await refused(capsys, "bot", "token", "ann-one")


@pytest.mark.usefixtures("ann")
async def test_a_new_owners_token_replaces_the_kept_one(
    here: Arena, kept: Credentials, capsys: pytest.CaptureFixture[str]
) -> None:
    old = kept.owners(server(here))["ann"]
    assert "owner ann has a new token" in await said(capsys, "owner", "token")
    new = kept.owners(server(here))["ann"]
    assert new != old
    assert await targi("bot", "list") == 0
    kept.save_owner(server(here), "ann", old)
    assert "unknown or was revoked" in await refused(capsys, "bot", "list")


@pytest.mark.usefixtures("ann")
async def test_a_token_from_the_environment_is_replaced_by_one_that_is_shown(
    here: Arena, kept: Credentials, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    old = kept.owners(server(here))["ann"]
    monkeypatch.setenv("TARGI_TOKEN", old)
    shown = (await said(capsys, "owner", "token")).split()[-1]
    assert kept.owners(server(here)) == {"ann": old}
    monkeypatch.setenv("TARGI_TOKEN", shown)
    assert await targi("bot", "list") == 0


@pytest.mark.usefixtures("ann")
async def test_of_several_owners_one_must_be_named(
    here: Arena, kept: Credentials, capsys: pytest.CaptureFixture[str]
) -> None:
    assert await targi("owner", "create", "bob") == 0
    assert "(ann, bob): give NAME" in await refused(capsys, "owner", "token")
    assert "owner bob has a new token" in await said(capsys, "owner", "token", "bob")


@pytest.mark.usefixtures("ann")
async def test_a_token_that_cannot_be_kept_is_shown_rather_than_lost(
    here: Arena, kept: Credentials, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Credentials, "_write", full)
    words = await refused(capsys, "owner", "token")
    assert "No space left on device; the token of owner ann, shown this once: targi_owner_" in words
    monkeypatch.setenv("TARGI_TOKEN", words.split()[-1])
    assert await targi("bot", "list") == 0


async def test_who_is_connected_is_shown_with_its_places(
    here: Arena, capsys: pytest.CaptureFixture[str]
) -> None:
    await here.duel("bot-one", "bot-two")
    await here.connect("bot-three", ladder=True, capacity=3, rulesets=["base", "mixed"])
    lines = (await said(capsys, "bot", "online")).splitlines()
    assert [line.split()[0] for line in lines[1:]] == ["bot-one", "bot-three", "bot-two"]
    assert lines[2].split(maxsplit=6)[1:] == [
        "1.0", "owner-of-bot-three", "0", "3", "yes", "base, mixed"
    ]  # fmt: skip
    one = (await document(capsys, "bot", "online"))[0]
    assert (one["bot"], one["matches"], one["ladder"]) == ("bot-one", 1, False)


async def test_a_bot_is_shown_with_its_ratings_and_its_pairs(
    redis_url: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    async with arena(redis_url, pairing=True) as here:
        monkeypatch.setenv("TARGI_SERVER", server(here))
        one = await here.connect("bot-one", ladder=True, capacity=1)
        two = await here.connect("bot-two", ladder=True, capacity=1)
        offers = [await client.next("offer") for client in (one, two)]
        for client, offer in zip((one, two), offers, strict=True):
            await client.send(ready=play_pb2.Ready(offer_id=offer.offer_id, nonce=bytes(32)))
        for match_id in offers[0].match_ids:
            await one.next("match_started", match_id)
            await one.send(resign=play_pb2.Resign(match_id=match_id))
            await two.next("match_ended", match_id)
        async with asyncio.timeout(WITHIN_S):
            while not (await document(capsys, "bot", "show", "bot-two"))["versions"]:  # noqa: ASYNC110
                await asyncio.sleep(0.05)  # the table is fitted every few seconds, and tells nobody
        shown = await said(capsys, "bot", "show", "bot-two", "--against", "bot-one")
        assert shown.startswith("Bot bot-two of owner-of-bot-two.\n")
        assert "1500" not in shown.splitlines()[2].split()[4]
        *_, title, header, counts = shown.splitlines()
        assert title == "Rated pairs against bot-one, by score"
        assert header.split() == ["0", "1/4", "1/2", "3/4", "1"]
        assert counts.split() == ["0", "0", "0", "0", "1"]
        listed = await document(capsys, "bot", "results", "bot-one", "--limit", "1")
        assert listed[0]["match_ids"] == list(offers[0].match_ids)
        assert "1 rated pair," in await said(capsys, "bot", "results")


@pytest.mark.parametrize(
    "command",
    [
        ("records", "export", "out", "--bot"),
        ("match", "list", "--bot"),
        ("bot", "results"),
        ("bot", "show"),
        ("bot", "show", "bot-two", "--against"),
    ],
    ids=" ".join,
)
async def test_a_bot_that_nobody_has_is_named_with_those_that_are_called_alike(
    here: Arena,
    capsys: pytest.CaptureFixture[str],
    command: tuple[str, ...],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    monkeypatch.chdir(tmp_path)
    await here.connect("bot-one")
    await here.connect("bot-two")
    assert await refused(capsys, *command, "bot-oen") == (
        "targi: there is no bot 'bot-oen'; did you mean 'bot-one' or 'bot-two'?\n"
    )
    assert await refused(capsys, *command, "zzz") == "targi: there is no bot 'zzz'\n"
    assert not any(tmp_path.iterdir())  # noqa: ASYNC240 (a directory of the test itself)


@pytest.mark.usefixtures("ann")
@pytest.mark.parametrize("action", ["token", "revoke", "retire"])
async def test_what_is_done_to_another_ones_bot_is_refused(
    here: Arena, capsys: pytest.CaptureFixture[str], action: str
) -> None:
    await here.register("bot-one")
    assert "owner 'ann' has no bot 'bot-one'" in await refused(capsys, "bot", action, "bot-one")
