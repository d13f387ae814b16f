"""Entries of the log: 12 bytes there and back."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from targi_server.match.entries import ENTRY_BYTES, Entry, decode_log, encode_log

entries = st.builds(
    Entry,
    action=st.integers(0, 8191),
    seat=st.integers(0, 1),
    charged_ms=st.integers(0, 2**24 - 1),
    out_ms=st.integers(0, 2**16 - 1),
    in_ms=st.integers(0, 2**16 - 1),
    elapsed_ms=st.integers(0, 2**24 - 1),
    chained=st.booleans(),
    turn_ended=st.booleans(),
)


@given(st.lists(entries))
def test_a_log_comes_back_as_it_was(log: list[Entry]) -> None:
    data = encode_log(log)
    assert len(data) == ENTRY_BYTES * len(log)
    assert decode_log(data) == tuple(log)


def test_the_layout_is_part_of_the_data() -> None:
    entry = Entry(0x123, 1, 0x010203, 0x0405, 0x0607, 0x08090A, chained=False, turn_ended=True)
    assert entry.encode().hex(" ") == "23 a1 05 04 07 06 03 02 01 0a 09 08"


def test_times_that_do_not_fit_stand_at_their_limit() -> None:
    entry = Entry.decode(Entry(1, 0, 10**9, 10**9, 10**9, 10**9).encode())
    assert (entry.charged_ms, entry.out_ms, entry.in_ms, entry.elapsed_ms) == (
        2**24 - 1,
        65535,
        65535,
        2**24 - 1,
    )


@pytest.mark.parametrize("action", [-1, 8192])
def test_an_action_that_does_not_fit_is_refused_with_the_range(action: int) -> None:
    with pytest.raises(ValueError, match="0 to 8191"):
        Entry(action, 0, 0, 0, 0, 0).encode()


def test_a_part_of_an_entry_is_refused() -> None:
    with pytest.raises(ValueError, match="12 bytes"):
        decode_log(bytes(ENTRY_BYTES + 1))
