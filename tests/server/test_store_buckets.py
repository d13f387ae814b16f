"""The table of buckets, and the keys that are made with it."""

from __future__ import annotations

import binascii
from collections import Counter

import pytest
from targi_server.store.buckets import BUCKETS, TAGS, bucket_of
from targi_server.store.keys import ALL_BUCKETS, area_key, channel_of, match_keys

MATCH = "0123456789abcdef"


def slot(key: str) -> int:
    """Slot of a key in Redis Cluster: CRC16 (XMODEM) of what stands between braces, modulo 16384."""
    tag = key[key.index("{") + 1 : key.index("}")]
    return binascii.crc_hqx(tag.encode(), 0) % 16384


@pytest.mark.parametrize("number", range(64))
def test_the_slot_of_a_tag_is_256_i_plus_128(number: int) -> None:
    assert slot(f"{{{TAGS[number]}}}") == 256 * number + 128


def test_there_are_64_different_tags() -> None:
    assert BUCKETS == len(set(TAGS)) == 64


def test_the_bucket_of_an_id_is_part_of_the_data() -> None:
    assert [bucket_of(name) for name in (MATCH, "alpha-bot", "")] == [51, 60, 0]


@pytest.mark.parametrize("masters", [1, 2, 3, 5, 7, 16])
def test_masters_with_equal_shares_of_slots_get_about_equally_many_buckets(masters: int) -> None:
    shares = Counter(slot(bucket.news) * masters // 16384 for bucket in ALL_BUCKETS)
    assert max(shares.values()) - min(shares.values()) <= 1


def test_all_keys_of_a_match_are_in_the_slot_of_its_bucket_and_differ() -> None:
    keys = match_keys(MATCH)
    bucket = keys.bucket
    own = [keys.head, keys.live, keys.log, keys.memo, keys.end, keys.done]
    shared = [bucket.deadlines, bucket.beats, bucket.outages, bucket.outbox, bucket.news]
    assert len({*own, *shared}) == 11
    assert {slot(key) for key in own + shared} == {256 * bucket_of(MATCH) + 128}
    assert all(key.startswith(bucket.matches + MATCH) for key in own)


def test_keys_of_a_name_are_in_one_slot_with_its_news() -> None:
    assert slot(area_key("bot", "alpha-bot", "account")) == slot(channel_of(bucket_of("alpha-bot")))
    assert area_key("bot", "alpha-bot", "account").endswith(":bot:alpha-bot:account")
