"""Accounts: who gets a token, whose it is, and that a lost one opens nothing."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
import redis
from lobby_floor import floor
from targi_server.accounts.identity import Identity, TokenKind
from targi_server.accounts.store import Accounts
from targi_server.errors import (
    BadToken,
    BotPaused,
    Forbidden,
    Invalid,
    Limit,
    NameTaken,
    NotFound,
    RegistrationClosed,
)

ADMIN = Identity(TokenKind.ADMIN, "root-admin")
HOME = "127.0.0.1"


@pytest.fixture
async def accounts(redis_url: str) -> AsyncIterator[Accounts]:
    async with floor(redis_url) as made:
        yield made.accounts


async def test_a_token_of_each_kind_says_whose_it_is(accounts: Accounts) -> None:
    owner = await accounts.create_owner("alice", None, HOME)
    bot = await accounts.register_bot("alice", "alba")
    admin = await accounts.create_admin("root-admin")
    assert await accounts.authenticate(owner) == Identity(TokenKind.OWNER, "alice")
    assert await accounts.authenticate(bot) == Identity(TokenKind.BOT, "alice", "alba")
    assert await accounts.authenticate(admin) == ADMIN


async def test_the_store_keeps_no_token(accounts: Accounts, redis_url: str) -> None:
    token = await accounts.create_owner("alice", None, HOME)
    secret = token.rpartition("_")[2].encode()
    with redis.Redis.from_url(redis_url) as client:
        dumps = [client.dump(key) for key in client.keys("*")]
        assert len(dumps) > 2
        assert not any(secret in key for key in client.keys("*"))
    assert not any(secret in (dump or b"") for dump in dumps)


@pytest.mark.parametrize(
    "token", ["", "targi_owner_short", "targi_king_" + "a" * 43, "targi_owner_" + "a" * 43, "x" * 500]
)
async def test_an_unknown_token_is_refused(accounts: Accounts, token: str) -> None:
    with pytest.raises(BadToken):
        await accounts.authenticate(token)


async def test_a_rotated_token_replaces_the_old_one(accounts: Accounts) -> None:
    old = await accounts.create_owner("alice", None, HOME)
    new = await accounts.rotate_owner_token("alice")
    assert (await accounts.authenticate(new)).owner == "alice"
    with pytest.raises(BadToken):
        await accounts.authenticate(old)


async def test_a_revoked_token_is_refused_from_the_next_call_on(accounts: Accounts) -> None:
    token = await accounts.register_bot("alice", "alba")
    await accounts.authenticate(token)
    await accounts.revoke_bot_token("alice", "alba")
    with pytest.raises(BadToken):
        await accounts.authenticate(token)
    assert not (await accounts.bot("alba")).active


async def test_a_leftover_of_a_rotation_that_crashed_opens_nothing(
    accounts: Accounts, redis_url: str
) -> None:
    token = await accounts.register_bot("alice", "alba")
    with redis.Redis.from_url(redis_url) as client:
        before = {key: client.dump(key) for key in client.keys("*:token:*")}
        await accounts.rotate_bot_token("alice", "alba")
        for key, dump in before.items():
            client.restore(key, 0, dump or b"")
    with pytest.raises(BadToken):
        await accounts.authenticate(token)


async def test_a_name_belongs_to_the_first_who_takes_it(accounts: Accounts) -> None:
    first = await accounts.register_bot("alice", "alba")
    with pytest.raises(NameTaken):
        await accounts.register_bot("bob", "alba")
    assert (await accounts.authenticate(first)).owner == "alice"
    assert await accounts.bots("bob") == []


@pytest.mark.parametrize("name", ["", "ab", "a" * 33, "Alba", "1alba", "al ba", "älba", "alba\n"])
async def test_a_name_that_breaks_the_rules_is_refused(accounts: Accounts, name: str) -> None:
    with pytest.raises(Invalid):
        await accounts.register_bot("alice", name)
    with pytest.raises(Invalid):
        await accounts.create_owner(name, ADMIN, HOME)


async def test_bots_are_listed_by_name_for_their_owner_only(accounts: Accounts) -> None:
    for owner, bot in (("alice", "cleo"), ("alice", "alba"), ("bob", "bora")):
        await accounts.register_bot(owner, bot)
    assert [bot.bot for bot in await accounts.bots("alice")] == ["alba", "cleo"]
    with pytest.raises(NotFound):
        await accounts.rotate_bot_token("alice", "bora")
    with pytest.raises(NotFound):
        await accounts.bot("nobody")


async def test_a_retired_bot_keeps_its_token_and_gets_no_new_one(accounts: Accounts) -> None:
    token = await accounts.register_bot("alice", "alba")
    await accounts.retire_bot("alice", "alba")
    assert (await accounts.bot("alba")).retired
    assert (await accounts.authenticate(token)).bot == "alba"
    with pytest.raises(BotPaused):
        await accounts.rotate_bot_token("alice", "alba")


async def test_an_address_makes_only_so_many_owners_an_hour(accounts: Accounts) -> None:
    for owner in ("alice", "bob", "carl"):
        await accounts.create_owner(owner, None, HOME)
    with pytest.raises(Limit):
        await accounts.create_owner("dora", None, HOME)
    await accounts.create_owner("dora", None, "192.0.2.7")
    await accounts.create_owner("emil", ADMIN, HOME)


async def test_closed_registration_is_for_administrators(accounts: Accounts) -> None:
    closed = Accounts(accounts._commands, open_registration=False)
    with pytest.raises(RegistrationClosed):
        await closed.create_owner("alice", Identity(TokenKind.OWNER, "bob"), HOME)
    await closed.create_owner("alice", ADMIN, HOME)


async def test_the_house_is_made_by_administrators_only(accounts: Accounts) -> None:
    with pytest.raises(Forbidden):
        await accounts.create_owner("house", None, HOME)
    await accounts.create_owner("house", ADMIN, HOME)


async def test_an_administrator_who_is_made_twice_gets_a_new_token(accounts: Accounts) -> None:
    old, new = await accounts.create_admin("root-admin"), await accounts.create_admin("root-admin")
    assert await accounts.authenticate(new) == ADMIN
    with pytest.raises(BadToken):
        await accounts.authenticate(old)


async def test_the_first_administrator_is_made_once(accounts: Accounts) -> None:
    token = await accounts.first_admin()
    assert token is not None
    assert (await accounts.authenticate(token)).is_admin
    assert await accounts.first_admin() is None
