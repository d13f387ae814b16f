"""Pairing: who may meet, who comes first, and that chance is the caller's."""

from __future__ import annotations

import random
from collections import Counter

from hypothesis import given
from hypothesis import strategies as st
from targi_server.ladder.pairing import UNKNOWN, Candidate, Estimate, Pairing, choose


def bot(
    name: str, owner: str = "", *, free: int = 1, known: Estimate = UNKNOWN, house: bool = False
) -> Candidate:
    return Candidate(name, owner or f"{name}-owner", free, ("base",), {"base": known}, house)


def settled(rating: float) -> Estimate:
    return Estimate(rating, 30.0)


def chosen(candidates: list[Candidate], seed: int = 0, **met: int) -> list[Pairing]:
    """`met` has keys like alba_bora."""
    meetings = {frozenset(two.split("_")): count for two, count in met.items()}
    return choose(candidates, meetings, random.Random(seed))


def bots_of(pairings: list[Pairing]) -> list[set[str]]:
    return [set(pairing.bots) for pairing in pairings]


def test_two_free_bots_are_paired() -> None:
    assert bots_of(chosen([bot("alba"), bot("bora")])) == [{"alba", "bora"}]


def test_a_bot_alone_waits() -> None:
    assert chosen([bot("alba")]) == []


def test_bots_of_one_owner_never_meet() -> None:
    assert chosen([bot("alba", "ann"), bot("bora", "ann")]) == []


def test_bots_of_the_house_may_meet() -> None:
    house = [bot("alba", "house", house=True), bot("bora", "house", house=True)]
    assert bots_of(chosen(house)) == [{"alba", "bora"}]


def test_a_full_bot_is_left_alone() -> None:
    assert chosen([bot("alba", free=0), bot("bora")]) == []


def test_bots_without_a_common_ruleset_do_not_meet() -> None:
    other = Candidate("bora", "ben", 1, ("expansion",))
    assert chosen([bot("alba"), other]) == []


def test_a_pair_plays_a_ruleset_that_both_named() -> None:
    both = Candidate("alba", "ann", 9, ("base", "expansion"))
    other = Candidate("bora", "ben", 9, ("expansion", "mixed"))
    assert {pairing.ruleset for pairing in chosen([both, other])} == {"expansion"}


def test_capacity_is_filled_also_by_repeats() -> None:
    assert len(chosen([bot("alba", free=3), bot("bora", free=5)])) == 3


def test_a_third_bot_comes_before_a_repeat() -> None:
    pairings = chosen([bot("alba", free=2), bot("bora", free=2), bot("cleo", free=2)])
    assert sorted(map(sorted, bots_of(pairings))) == [["alba", "bora"], ["alba", "cleo"], ["bora", "cleo"]]


def test_bots_that_met_lately_wait_for_others() -> None:
    four = [bot(name, known=settled(1500)) for name in ("alba", "bora", "cleo", "dido")]
    pairings = chosen(four, alba_bora=5, cleo_dido=5)
    assert {"alba", "bora"} not in bots_of(pairings)
    assert len(pairings) == 2


def test_close_bots_come_before_distant_ones() -> None:
    four = [bot("alba", known=settled(1200)), bot("bora", known=settled(1230))]
    four += [bot("cleo", known=settled(1800)), bot("dido", known=settled(1830))]
    assert {frozenset(two) for two in bots_of(chosen(four))} == {
        frozenset({"alba", "bora"}),
        frozenset({"cleo", "dido"}),
    }


def test_an_unknown_bot_comes_before_settled_ones() -> None:
    three = [bot("alba", known=settled(1500)), bot("bora", known=settled(1500)), bot("newt")]
    for seed in range(20):
        assert "newt" in bots_of(chosen(three, seed))[0]


def test_both_bots_get_seat_0_of_game_1_at_times() -> None:
    first = Counter(chosen([bot("alba"), bot("bora")], seed)[0].bots[0] for seed in range(100))
    assert min(first["alba"], first["bora"]) > 25


def test_a_bot_amid_many_of_its_owner_still_finds_an_opponent() -> None:
    clones = [bot(f"clone{n}", "ann", known=settled(1500)) for n in range(80)]
    assert len(chosen([*clones, bot("alba", free=80, known=settled(1900))])) == 80


candidates = st.lists(
    st.builds(
        Candidate,
        bot=st.sampled_from([f"bot{n}" for n in range(30)]),
        owner=st.sampled_from(["ann", "ben", "house"]),
        free=st.integers(0, 4),
        rulesets=st.sets(st.sampled_from(["base", "expansion", "mixed"]), min_size=1).map(tuple),
        estimates=st.just({"base": Estimate(1500, 40)}),
        house=st.just(False),
    ),
    unique_by=lambda c: c.bot,
)


@given(candidates, st.integers())
def test_nobody_gets_more_than_it_can_take_and_nobody_who_could_play_waits(
    them: list[Candidate], seed: int
) -> None:
    pairings = choose(them, {}, random.Random(seed))
    used = Counter(name for pairing in pairings for name in pairing.bots)
    left = [c for c in them if used[c.bot] < c.free]
    assert all(used[c.bot] <= c.free for c in them)
    for one in left:
        for other in left:
            assert one.owner == other.owner or not set(one.rulesets) & set(other.rulesets)


@given(candidates, st.integers(), st.randoms(use_true_random=False))
def test_equal_arguments_give_equal_pairings(them: list[Candidate], seed: int, rng: random.Random) -> None:
    first = choose(them, {}, random.Random(seed))
    rng.shuffle(them)
    assert choose(them, {}, random.Random(seed)) == first
