"""The state: applying, copying, forced actions, counters."""

from __future__ import annotations

import copy
import io
import pickle
import random
from collections import Counter
from collections.abc import Callable, Iterator

import pytest
from positions import Position, Side
from targi_engine import (
    ACTIONS,
    RULESETS,
    IllegalAction,
    SeedError,
    State,
    UnknownAction,
    UnknownRuleset,
    UnknownVariant,
    action_id,
    action_name,
    new_game,
    perft,
    playout,
    replay,
    ruleset,
)
from targi_engine.powers import NO_POWER

Positions = Callable[[str, int], Iterator[State]]


def snapshot(state: State) -> tuple[object, ...]:
    return (
        state.observation(None).encode(),
        state.tribe.cards,
        state.goods.cards,
        state.dunes.cards,
        state.seed,
        state.forced,
        state.legal_actions(),
    )


def test_legal_actions_are_sorted_and_never_one(ruleset_name: str, positions: Positions) -> None:
    for game in range(6):
        for state in positions(ruleset_name, game):
            legal = state.legal_actions()
            assert list(legal) == sorted(set(legal))
            assert len(legal) != 1
            assert state.is_over == (not legal)
            assert (state.current_seat == -1) == state.is_over


def test_an_illegal_action_changes_nothing(ruleset_name: str, positions: Positions) -> None:
    for state in positions(ruleset_name, 1):
        before = snapshot(state)
        legal = state.legal_actions()
        illegal = next(action for action in (*range(138), 138) if action not in legal)
        for action in (illegal, -1, 10_000):
            with pytest.raises(IllegalAction):
                state.apply(action)
        assert snapshot(state) == before


@pytest.mark.parametrize("action", [1.0, "1", None], ids=["float", "text", "none"])
def test_what_is_no_int_is_no_action_also_if_it_equals_one(action: object) -> None:
    state = new_game("base", bytes(32))
    before = snapshot(state)
    with pytest.raises(TypeError, match="int object expected; got"):
        state.apply(action)  # type: ignore[arg-type]
    assert snapshot(state) == before


@pytest.mark.parametrize("part", ["ruleset", "catalog"])
def test_nobody_can_change_what_all_games_share(part: str) -> None:
    state = new_game("expansion", bytes(32))
    rules = state.observation(0).ruleset
    shared: object = rules if part == "ruleset" else rules.catalog
    for name in ("flat3", "name", "catalog") if part == "ruleset" else ("vp", "costs", "copies"):
        before = getattr(shared, name)
        with pytest.raises(AttributeError):
            setattr(shared, name, 1)
        with pytest.raises(AttributeError):
            delattr(shared, name)
        assert getattr(shared, name) is before


def test_nobody_can_change_the_tables_of_a_ruleset() -> None:
    rules = ruleset("expansion")
    for table in (rules.cards, rules.demands, rules.catalog.copies, rules.catalog.displayed):
        with pytest.raises(TypeError):
            table[1] = 1  # type: ignore[index]


@pytest.mark.parametrize(
    "copied",
    [State.clone, copy.copy, copy.deepcopy, lambda state: pickle.loads(pickle.dumps(state))],
    ids=["clone", "copy", "deepcopy", "pickle"],
)
def test_a_copy_lives_its_own_life(ruleset_name: str, copied: Callable[[State], State]) -> None:
    rng = random.Random(2)
    state = new_game(ruleset_name, bytes(range(32)))
    while not state.is_over:
        other = copied(state)
        before = snapshot(state)
        assert snapshot(other) == before
        assert other.ruleset is state.ruleset
        for _ in range(20):
            if not other.is_over:
                other.apply(rng.choice(other.legal_actions()))
        assert snapshot(state) == before
        for _ in range(5):
            if not state.is_over:
                state.apply(rng.choice(state.legal_actions()))


POWER_CARDS = [
    (name, ruleset(name).catalog.names[card])
    for name in ("base", "expansion")
    for card in ruleset(name).catalog.tribe
    if ruleset(name).catalog.powers[card] is not NO_POWER
]


def laid(name: str, card: str) -> State:
    """A position in which a card lies in the display of the seat to move."""
    return Position(ruleset=name, me=Side(stock="5d 5s 5p 3g 4v", display=card, targis="5 14 7")).build()


@pytest.mark.parametrize(("name", "card"), POWER_CARDS)
def test_a_state_with_a_power_in_its_display_is_pickled(name: str, card: str) -> None:
    rng = random.Random(4)
    state = laid(name, card)
    for other in (pickle.loads(pickle.dumps(state)), copy.deepcopy(state), copy.copy(state)):
        one = state.clone()
        for _ in range(60):
            assert snapshot(other) == snapshot(one)
            if one.is_over:
                break
            action = rng.choice(one.legal_actions())
            one.apply(action)
            other.apply(action)


class _Seen(pickle.Pickler):
    """Notes the classes of the engine whose objects are pickled one by one."""

    def __init__(self) -> None:
        super().__init__(io.BytesIO())
        self.classes: set[type] = set()

    def persistent_id(self, obj: object) -> None:
        if type(obj).__module__.startswith("targi_engine"):
            self.classes.add(type(obj))


def test_what_a_state_is_pickled_with_is_made_without_arguments_or_tells_how() -> None:
    """Compiled classes with arguments in __init__ must, or a pickle does not load."""
    seen = _Seen()
    for name, card in POWER_CARDS:
        seen.dump(laid(name, card))
    for name in RULESETS:
        seen.dump(paying(name))
    assert {"State", "Player", "Powers", "Payment", "Deck", "Get", "Ruleset"} <= {
        one.__name__ for one in seen.classes
    }
    for one in seen.classes:
        if "__reduce__" not in vars(one):
            one()


def paying(name: str) -> State:
    """A state amid the payment of a card."""
    rng = random.Random(5)
    while True:
        state = new_game(name, rng.randbytes(32))
        while not state.is_over:
            if state.payment is not None:
                return state
            state.apply(rng.choice(state.legal_actions()))


def test_the_same_actions_lead_to_the_same_state(ruleset_name: str) -> None:
    rng = random.Random(3)
    seed, opening = rng.randbytes(32), rng.randbytes(32)
    state = new_game(ruleset_name, seed, opening)
    actions: list[int] = []
    while not state.is_over:
        actions.append(rng.choice(state.legal_actions()))
        state.apply(actions[-1])
    assert snapshot(replay(ruleset_name, seed, opening, actions)) == snapshot(state)
    assert state.ply == len(actions)


def test_the_unchecked_twin_does_the_same(ruleset_name: str, positions: Positions) -> None:
    for state in positions(ruleset_name, 2):
        for action in state.legal_actions()[:2]:
            one, other = state.clone(), state.clone()
            one.apply(action)
            other.apply_unchecked(action)
            assert snapshot(one) == snapshot(other)


@pytest.mark.parametrize("action", [-1, len(ACTIONS), 10_000])
def test_an_id_outside_of_the_vocabulary_is_refused_with_its_bounds(action: int) -> None:
    with pytest.raises(UnknownAction, match=f"the id {action}: ids run from 0 to {len(ACTIONS) - 1}$"):
        action_name(action)


def test_forced_actions_are_told_for_one_action_only() -> None:
    state = new_game("base", bytes(range(32)))
    while not state.forced:
        state.apply(state.legal_actions()[0])
    assert all(seat in (0, 1) and action_name(action) for seat, action in state.forced)
    quiet = next(action for action in state.legal_actions() if not _after(state, action).forced)
    assert _after(state, quiet).forced == ()


def _after(state: State, action: int) -> State:
    after = state.clone()
    after.apply(action)
    return after


def test_the_last_actions_of_a_turn_are_forced_and_belong_to_their_seat() -> None:
    state = new_game("base", bytes(range(32)))
    while state.decision == "place":
        state.apply(state.legal_actions()[0])
    state.apply(action_id("end"))
    seat = state.current_seat
    assert seat == 1
    while state.round == 1:
        state.apply(state.legal_actions()[0])
    assert state.forced == ((1, action_id("end")),)


def test_turns_rise_only_when_a_seat_begins_to_choose(ruleset_name: str, positions: Positions) -> None:
    previous: tuple[int, int, str] | None = None
    for state in positions(ruleset_name, 5):
        if state.is_over:
            break
        now = (state.turn, state.current_seat, state.decision)
        if previous is None:
            assert now[0] == 1
        else:
            begins = now[1] != previous[1] or now[2] == "place" or previous[2] == "place"
            assert now[0] - previous[0] == int(begins) or (now[2] != previous[2] and now[0] > previous[0])
        previous = now


def _seen(state: State) -> Counter[int]:
    """All cards that both players know the place of."""
    hidden = state.down & ~state.known
    cards = [card for cell, card in enumerate(state.centre) if not hidden >> cell & 1]
    cards += [*state.shown, *state.tribe.discard, *state.goods.discard, *state.dunes.discard]
    cards += state.dune_slots
    if state.ruleset.open_top:
        cards += state.tribe.rest()[:1]
    for player in state.players:
        cards += [*player.hand, *player.display]
    dune_of = state.ruleset.catalog.dune_of
    return Counter(dune_of.get(card, card) for card in cards if card)


def test_reveals_rise_exactly_when_a_card_becomes_known(ruleset_name: str, positions: Positions) -> None:
    for state in positions(ruleset_name, 6):
        before = _seen(state)
        decks = (state.tribe.shuffles, state.goods.shuffles)
        for action in state.legal_actions():
            after = _after(state, action)
            if (after.tribe.shuffles, after.goods.shuffles) == decks:
                new = (_seen(after) - before).total()
                assert after.reveals - state.reveals == new


def test_scores_can_be_asked_at_any_moment(ruleset_name: str, positions: Positions) -> None:
    for state in positions(ruleset_name, 7):
        outcome = state.outcome()
        assert state.scores() == outcome.scores
        assert tuple(parts.total for parts in outcome.breakdown) == outcome.scores
        assert outcome.result in ("1-0", "0-1", "1/2-1/2")


def test_perft_counts_sequences() -> None:
    state = new_game("base", bytes(range(32)))
    before = snapshot(state)
    assert perft(state, 0) == 1
    assert perft(state, 1) == len(state.legal_actions()) == 11
    second = 0
    for action in state.legal_actions():
        child = state.clone()
        child.apply(action)
        second += len(child.legal_actions())
    assert perft(state, 2) == second
    assert snapshot(state) == before


def test_perft_of_a_finished_game_is_one() -> None:
    state = new_game("base", bytes(32))
    playout(state, random.Random(1))
    assert perft(state, 3) == 1


def test_a_playout_is_repeated_by_its_random_source(ruleset_name: str) -> None:
    one, other = (new_game(ruleset_name, bytes(32)) for _ in range(2))
    assert playout(one, random.Random(9)) == playout(other, random.Random(9)) == one.ply
    assert snapshot(one) == snapshot(other)


@pytest.mark.parametrize("length", [0, 31, 33])
def test_seeds_have_32_bytes(length: int) -> None:
    with pytest.raises(SeedError, match=f"{length} bytes"):
        new_game("base", bytes(length))
    with pytest.raises(SeedError, match="opening"):
        new_game("base", bytes(32), bytes(length))


def test_unknown_rulesets_and_variants_are_refused() -> None:
    with pytest.raises(UnknownRuleset, match="base, expansion, mixed"):
        new_game("bases", bytes(32))
    for variants in ("easy_start=yes", "border.13=base", "unpayable_raid=flat4", "flat3", "a=b"):
        with pytest.raises(UnknownVariant):
            ruleset("base", variants)
    for variants in (
        "border.0=base",
        "border.17=base",
        "border.4=expansion",
        "easy_start=yes,easy_start=yes",
    ):
        with pytest.raises(UnknownVariant):
            ruleset("mixed", variants)


def test_a_ruleset_is_a_value() -> None:
    assert ruleset("mixed") is ruleset("mixed", "")
    text, mapping = "easy_start=yes,border.4=base", {"border.4": "base", "easy_start": "yes"}
    assert ruleset("mixed", text) == ruleset("mixed", mapping)
    assert ruleset("mixed", text).variants == "border.4=base,easy_start=yes"
    assert len({ruleset("base"), ruleset("mixed"), ruleset("mixed", text)}) == 3
    assert pickle.loads(pickle.dumps(ruleset("mixed", text))) is ruleset("mixed", text)


def test_variants_reach_the_game() -> None:
    easy = new_game("expansion", bytes(32), variants="easy_start=yes")
    assert easy.players[0].stock == [2, 2, 2, 1, 2, 4]
    plain = new_game("expansion", bytes(32))
    assert plain.players[0].stock == [1, 1, 1, 1, 2, 4]
    names = [card.text("card") for card in ruleset("mixed", "border.13=base").cards["border"]]
    assert names[12] == "caravan"
