"""Tokens are kept in one file that nobody else can read."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from targi_sdk.credentials import Credentials
from targi_sdk.errors import CredentialsError

SERVER = "127.0.0.1:7400"


@pytest.fixture
def credentials(tmp_path: Path) -> Credentials:
    return Credentials(tmp_path / "home" / "credentials.json")


def test_without_a_file_there_are_no_tokens(credentials: Credentials) -> None:
    assert credentials.owners(SERVER) == {}
    assert credentials.bots(SERVER) == {}


def test_tokens_are_kept_by_server_kind_and_name(credentials: Credentials) -> None:
    credentials.save_owner(SERVER, "ann", "one")
    credentials.save_bot(SERVER, "ann", "two")
    credentials.save_bot("other:1", "ann", "three")
    credentials.save_bot(SERVER, "ann", "four")
    assert credentials.owners(SERVER) == {"ann": "one"}
    assert credentials.bots(SERVER) == {"ann": "four"}
    assert credentials.bots("other:1") == {"ann": "three"}


def test_the_file_is_private_and_nothing_else_is_left_beside_it(credentials: Credentials) -> None:
    credentials.save_owner(SERVER, "ann", "one")
    assert credentials.path.stat().st_mode & 0o777 == 0o600
    assert credentials.path.parent.stat().st_mode & 0o777 == 0o700
    assert list(credentials.path.parent.iterdir()) == [credentials.path]


def test_a_file_that_others_can_read_is_refused(credentials: Credentials) -> None:
    credentials.save_owner(SERVER, "ann", "one")
    credentials.path.chmod(0o644)
    with pytest.raises(CredentialsError, match="chmod 600"):
        credentials.owners(SERVER)


@pytest.mark.parametrize("text", ["no json", "[]", json.dumps({"format": 99, "servers": {}})])
def test_a_file_of_another_kind_is_neither_read_nor_replaced(credentials: Credentials, text: str) -> None:
    credentials.path.parent.mkdir()
    credentials.path.write_text(text, encoding="utf-8")
    credentials.path.chmod(0o600)
    with pytest.raises(CredentialsError, match=r"credentials\.json"):
        credentials.save_owner(SERVER, "ann", "one")
    assert credentials.path.read_text(encoding="utf-8") == text


def test_commands_that_save_at_once_lose_no_token(credentials: Credentials) -> None:
    names = [f"bot-{number}" for number in range(24)]
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda name: credentials.save_bot(SERVER, name, name), names))
    assert sorted(credentials.bots(SERVER)) == sorted(names)


def test_the_place_follows_the_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert Credentials.of({"TARGI_HOME": str(tmp_path)}).path == tmp_path / "credentials.json"
    monkeypatch.setenv("HOME", str(tmp_path))
    assert Credentials.of({}).path == tmp_path / ".config" / "targi" / "credentials.json"
