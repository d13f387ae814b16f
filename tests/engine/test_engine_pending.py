"""What a decision is about, as an observation tells it."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from targi_engine import RULESETS, Observation, action_name, new_game, ruleset
from targi_engine.pending import NOTHING, Pending


def catalog_costs(view: Observation, card: str) -> tuple[tuple[int, ...], ...]:
    catalog = view.ruleset.catalog
    return catalog.costs[catalog.names.index(card)]


@pytest.mark.parametrize("name", RULESETS)
def test_what_is_pending_fits_the_table_and_the_legal_actions(name: str) -> None:
    rng = random.Random(4)
    seen: Counter[str] = Counter()
    for _ in range(25):
        state = new_game(name, rng.randbytes(32), variants="easy_start=yes" if name != "base" else "")
        while not state.is_over:
            view = state.observation(0)
            check(view)
            seen[view.decision] += view.pending != NOTHING
            state.apply(rng.choice(state.legal_actions()))
    assert state.observation(None).pending == NOTHING == Pending(None, (0, 0, 0), 0, 0, 0, 0, 0, None, None)
    assert {"card", "cost", "give", "gain", "trade", "marker"} <= {
        kind for kind, times in seen.items() if times
    }
    assert not seen["place"] + seen["act"]


def check(view: Observation) -> None:
    pending = view.pending
    me = view.players[view.current_seat]
    names = [action_name(action) for action in view.legal]
    if view.ply % 10 == 0:
        assert pending == Observation.decode(view.encode()).pending
    if view.decision == "card" and not names[0].startswith("x") and pending.card is not None:
        in_sight = {*me.hand, *view.revealed, *(card.card for card in view.centre), *view.dunes}
        assert pending.card in in_sight
    if view.decision == "cost":
        assert pending.card is not None
        assert len(catalog_costs(view, pending.card)) == 2
    if view.decision == "save":
        assert sum(pending.needs) >= pending.points > 0
    if view.decision == "gain":
        assert pending.left > 0
    if view.decision == "give":
        assert pending.left + pending.extra > 0
    assert (pending.row is not None) == (pending.card is not None and view.decision not in ("card", "which"))
    if pending.row is not None:
        assert len(me.display[pending.row]) < 4
    if pending.chosen is not None:
        assert view.decision in ("marker", "arrange")
        assert f"c{pending.chosen}" not in names or view.decision != "marker"


def test_a_payment_tells_what_its_choices_have_settled() -> None:
    """W9's gold on a card: needs and gold of the cost stay in sight while its origin is asked."""
    rng = random.Random(1)
    found = 0
    while not found:
        state = new_game("base", rng.randbytes(32))
        while not state.is_over:
            if state.decision == "gold":
                view = state.observation(0)
                found += 1
                assert view.pending.card is not None
                costs = catalog_costs(view, view.pending.card)
                assert view.pending.gold in {cost[3] for cost in costs}
            state.apply(rng.choice(state.legal_actions()))


def test_nothing_hidden_is_pending() -> None:
    """Two states that differ in hidden cards only have the same pending decision."""
    state = new_game(ruleset("mixed"), bytes(32))
    rng = random.Random(3)
    while not state.is_over:
        view = state.observation(1)
        if view.ply % 5 == 0:
            assert view.determinize(rng).observation(1).pending == view.pending
        state.apply(rng.choice(state.legal_actions()))


def test_the_round_of_a_seat_tells_what_it_has_used() -> None:
    rng = random.Random(2)
    seen: Counter[str] = Counter()
    for _ in range(30):
        state = new_game("mixed", rng.randbytes(32), variants="easy_start=yes")
        while not state.is_over:
            for seat, view in enumerate(state.observation(0).rounds):
                me = state.players[seat]
                assert (view.targis, view.next_targis, view.bonuses) == (me.quota, me.next_quota, me.ready)
                assert view.wells == me.welled
                assert view.targia_took + 2 * view.targia_drew == me.targia_used
                seen.update(name for name, value in view._asdict().items() if value)
                seen["two Targis"] += view.targis == 2
            state.apply(rng.choice(state.legal_actions()))
    assert {"got_goods", "targia", "targia_took", "targia_drew", "two Targis"} <= set(seen)
