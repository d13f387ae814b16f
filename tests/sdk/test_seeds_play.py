"""Seeds of local play: the derivation, its test vector, and what `--seed` stands for."""

from __future__ import annotations

import hashlib

import pytest
from targi_sdk.seeds import pair_seeds, series_seed

S = bytes(range(32))


def test_the_derivation_follows_its_definition() -> None:
    seeds = pair_seeds(S, 12)
    for part, derived in enumerate([seeds.opening, *seeds.games]):
        assert derived == hashlib.sha256(b"targi-play\x00" + S + b"12\x00" + b"%d\x00" % part).digest()


def test_the_test_vector_of_pair_0() -> None:
    seeds = pair_seeds(S, 0)
    assert seeds.opening is not None
    assert [part.hex() for part in (seeds.opening, *seeds.games)] == [
        "7efc0f0e88766047e410c77edcb2e0a8f73ba9fe9a24378bef833661b1d3b86a",
        "5b522f6d511aeb1496635f63172d92cea9f52bc5c791a7111905d94d24eeb837",
        "ac74aec5497e43dd1f54c8c54675e54044b4fb8fe34090fadef36fcce30a6ec9",
    ]


def test_all_seeds_of_a_series_differ() -> None:
    parts = [part for pair in range(50) for part in (pair_seeds(S, pair).opening, *pair_seeds(S, pair).games)]
    assert len(set(parts)) == len(parts) == 150


def test_a_mirrored_pair_plays_the_first_seed_twice_without_an_opening() -> None:
    mirrored, usual = pair_seeds(S, 3, mirrored=True), pair_seeds(S, 3)
    assert mirrored.opening is None
    assert mirrored.games == (usual.games[0], usual.games[0])


@pytest.mark.parametrize("text", [S.hex(), S.hex().upper()])
def test_64_hex_digits_are_the_bytes_of_the_series_seed(text: str) -> None:
    assert series_seed(text) == S


@pytest.mark.parametrize("text", ["7", "autumn cup", "", "ä", S.hex()[:-1], S.hex() + "0", "g" * 64])
def test_any_other_text_stands_for_its_digest(text: str) -> None:
    assert series_seed(text) == hashlib.sha256(text.encode()).digest()
