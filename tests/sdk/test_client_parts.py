"""The client's small parts: addresses, nonce chains, backoff, profiles."""

from __future__ import annotations

import hashlib
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from targi_engine import new_game
from targi_sdk.bot import Action, Bot, Start, Turn
from targi_sdk.client.address import Address
from targi_sdk.client.backoff import LONGEST_S, Backoff
from targi_sdk.client.nonces import ChainError, NonceChain
from targi_sdk.client.pool import cores
from targi_sdk.client.questions import Failure, Question
from targi_sdk.client.recent import Recent
from targi_sdk.client.seat import Seat
from targi_sdk.client.telling import clipped
from targi_sdk.errors import UsageError


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("arena.example", Address("arena.example", 7400)),
        ("arena.example:99", Address("arena.example", 99)),
        ("127.0.0.1:7400", Address("127.0.0.1", 7400)),
        ("[::1]:7401", Address("::1", 7401)),
        ("http://arena.example:80", Address("arena.example", 80)),
        ("grpcs://arena.example", Address("arena.example", 7400, tls=True)),
        ("https://arena.example:443/", Address("arena.example", 443, tls=True)),
    ],
)
def test_an_address_is_read_and_printed(text: str, address: Address) -> None:
    assert Address.parse(text) == address
    assert Address.parse(str(address)) == address


@pytest.mark.parametrize("text", ["", ":7400", "a:b", "a:70000", "ftp://a", "a/path", "me@a"])
def test_what_is_no_address_is_refused_with_the_form(text: str) -> None:
    with pytest.raises(UsageError, match="write host:port"):
        Address.parse(text)


def test_a_certificate_file_means_tls() -> None:
    assert Address.parse("a:1", Path("ca.pem")).tls


@pytest.mark.parametrize(
    ("host", "loopback"),
    [("127.0.0.1", True), ("::1", True), ("localhost", True), ("10.0.0.1", False), ("a.example", False)],
)
def test_loopback_addresses_are_known(host: str, loopback: bool) -> None:
    assert Address(host).is_loopback is loopback


@given(secret=st.binary(min_size=32, max_size=32), length=st.integers(1, 700))
def test_every_nonce_is_the_preimage_of_the_one_before(secret: bytes, length: int) -> None:
    chain = NonceChain(secret, length)
    before = chain.head
    for left in reversed(range(length)):
        nonce = chain.next()
        assert hashlib.sha256(nonce).digest() == before
        assert (chain.head, chain.left) == (nonce, left)
        before = nonce
    assert before == secret
    with pytest.raises(ChainError):
        chain.next()


@given(st.integers())
def test_waits_grow_are_jittered_and_never_exceed_the_limit(seed: int) -> None:
    backoff = Backoff(Random(seed))
    waits = [backoff.next_s() for _ in range(40)]
    assert all(0.05 <= wait <= LONGEST_S == 5.0 for wait in waits)
    assert min(waits[10:]) >= LONGEST_S / 2
    backoff.reset()
    assert backoff.next_s() <= 0.1


def test_two_clients_do_not_wait_in_step() -> None:
    assert [Backoff(Random(1)).next_s()] != [Backoff(Random(2)).next_s()]


@given(text=st.text(max_size=400), most=st.integers(40, 300))
def test_a_clipped_text_fits_and_keeps_both_ends(text: str, most: int) -> None:
    short = clipped(text, most)
    assert len(short.encode()) <= most
    if len(text.encode()) <= most:
        assert short == text
    else:
        head, tail = short.split("\n[...]\n")[0], short.split("\n[...]\n")[-1]
        assert text.startswith(head)
        assert text.endswith(tail)


def test_only_the_last_names_are_remembered() -> None:
    recent = Recent(2)
    for name in ("a", "b", "a", "c"):
        recent.add(name)
    assert [name in recent for name in "abc"] == [True, False, True]


def test_there_is_at_least_one_processor() -> None:
    assert cores() >= 1


class Forger(Bot):
    """Writes an action into its own turn and takes it."""

    def choose(self, turn: Turn) -> Action:
        turn.legal = (*turn.legal, 37)
        return turn.legal[-1]


def test_what_a_bot_writes_into_its_turn_is_not_sent() -> None:
    state = new_game("base", bytes(32))
    seat = Seat(Forger, Start("a", 0, "other", "base", "", bytes(32), 0, 0), bytes(32))
    assert seat.open() is None
    view = state.observation(0).encode()
    reply = seat.ask(Question("a", 0, state.decision, state.legal_actions(), view, 0, 0, 0.0))
    assert isinstance(reply, Failure)
    assert reply.words.startswith("action 37")
