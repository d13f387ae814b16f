"""Seeds of a pair follow from secrets and nonces in one fixed way."""

from __future__ import annotations

import hashlib
import itertools

from hypothesis import given
from hypothesis import strategies as st
from targi_server import fairness
from targi_server.fairness import ServerSecrets

S0, S1, S2 = (bytes([n] * 32) for n in (0, 1, 2))
NONCE_A = bytes(range(32))
NONCE_B = bytes(range(32, 64))

bytes32 = st.binary(min_size=32, max_size=32)


def test_vector_of_the_opening() -> None:
    assert fairness.opening_seed(S0, NONCE_A, NONCE_B).hex() == (
        "e2b51d2c00d41fdd00088b712f9ecfdb71258e7084615e04b5f8f5374a25e416"
    )


def test_vector_of_game_1() -> None:
    assert fairness.game_seed(1, S1, NONCE_A, NONCE_B).hex() == (
        "1fe935efd8e1d8061abd23532fae8aae0169d5b42f4ee2b4c28c8e587fd93f36"
    )


def test_vector_of_game_2() -> None:
    assert fairness.game_seed(2, S2, NONCE_A, NONCE_B).hex() == (
        "c40cb59d3655b35bedfa609b512daa1fc8223714db052c2c54678998fe56fbd3"
    )


def test_vector_of_a_commitment() -> None:
    assert fairness.commitment(S1).hex() == (
        "72cd6e8422c407fb6d098690f1130b7ded7ec2f7f5e1d30bd9d521f015363793"
    )


def test_labels_and_numbers_end_with_a_zero_byte() -> None:
    joined = b"game\0" + b"2\0" + S2 + NONCE_A + NONCE_B
    assert fairness.game_seed(2, S2, NONCE_A, NONCE_B) == hashlib.sha256(joined).digest()


def test_drawn_secrets_are_fresh_and_committed_in_order() -> None:
    first, second = ServerSecrets.draw(2), ServerSecrets.draw(2)
    assert len({first.opening, *first.games, second.opening, *second.games}) == 6
    assert first.commitments == tuple(hashlib.sha256(s).digest() for s in (first.opening, *first.games))


def test_a_single_game_has_two_secrets() -> None:
    assert len(ServerSecrets.draw(1).commitments) == 2


def test_after_game_1_the_secret_of_game_2_stays() -> None:
    drawn = ServerSecrets(S0, (S1, S2))
    assert drawn.after(1) == ServerSecrets(S0, (S1,))
    assert drawn.after(2) == drawn


@given(bytes32, bytes32, bytes32)
def test_games_and_opening_of_one_secret_differ(secret: bytes, nonce_a: bytes, nonce_b: bytes) -> None:
    seeds = {
        fairness.opening_seed(secret, nonce_a, nonce_b),
        fairness.game_seed(1, secret, nonce_a, nonce_b),
        fairness.game_seed(2, secret, nonce_a, nonce_b),
    }
    assert len(seeds) == 3


@given(bytes32, st.integers(1, 40))
def test_a_chain_is_walked_down_one_preimage_at_a_time(end: bytes, length: int) -> None:
    chain = [end]
    for _ in range(length):
        chain.append(hashlib.sha256(chain[-1]).digest())
    for nonce, head in itertools.pairwise(chain):
        assert fairness.is_preimage(nonce, head)
    assert not fairness.is_preimage(chain[-1], chain[-1])


def test_a_skipped_or_short_nonce_is_no_preimage() -> None:
    middle = fairness.commitment(NONCE_A)
    head = fairness.commitment(middle)
    assert not fairness.is_preimage(NONCE_A, head)
    assert not fairness.is_preimage(b"short", fairness.commitment(b"short"))


def test_a_later_head_of_the_same_chain_continues_it() -> None:
    middle = fairness.commitment(NONCE_A)
    head = fairness.commitment(middle)
    assert fairness.continues(head, head)
    assert fairness.continues(NONCE_A, head)
    assert not fairness.continues(head, NONCE_A)
    assert not fairness.continues(NONCE_A, head, steps=1)
