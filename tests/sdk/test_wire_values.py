"""Engine values through the wire and back."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from targi.v1 import game_pb2 as pb
from targi_engine import ACTIONS, RULES, RULESETS, Observation, State, UnknownAction, new_game, ruleset
from targi_sdk import wire
from targi_sdk.errors import WireError

SEED = bytes(range(32))


def position(name: str, seed: int, plies: int) -> State:
    """A state after random play."""
    rng = Random(seed)
    state = new_game(name, rng.randbytes(32))
    for _ in range(plies):
        if state.is_over:
            break
        state.apply(rng.choice(state.legal_actions()))
    return state


positions = st.builds(position, st.sampled_from(RULESETS), st.integers(0, 10**6), st.integers(0, 160))


@pytest.mark.parametrize("named", [False, True])
def test_every_action_comes_back(named: bool) -> None:
    ids = tuple(range(len(ACTIONS)))
    messages = [pb.Action.FromString(m.SerializeToString()) for m in wire.actions_to_proto(ids, named=named)]
    assert wire.actions_from_proto(messages) == ids
    assert [message.name for message in messages] == (list(ACTIONS) if named else [""] * len(ACTIONS))


def test_notation_wins_over_the_id() -> None:
    assert wire.action_from_proto(pb.Action(id=3, name="end")) == ACTIONS.index("end")


@pytest.mark.parametrize("message", [pb.Action(name="fly"), pb.Action(id=len(ACTIONS))])
def test_an_action_that_does_not_exist_is_refused(message: pb.Action) -> None:
    with pytest.raises(UnknownAction):
        wire.action_from_proto(message)


def test_an_empty_action_is_not_action_zero() -> None:
    assert wire.action_from_proto(pb.Action(id=0)) == 0
    with pytest.raises(WireError, match="neither id nor name"):
        wire.action_from_proto(pb.Action())


@given(positions, st.sampled_from([0, 1, None]))
@settings(max_examples=60, deadline=None)
def test_a_compact_view_holds_the_same_observation(state: State, seat: int | None) -> None:
    observation = state.observation(seat)
    view = wire.view_to_proto(observation, compact=True)
    assert wire.view_from_proto(pb.View.FromString(view.SerializeToString())) == observation


@given(positions)
@settings(max_examples=60, deadline=None)
def test_a_structured_view_says_all_that_the_observation_says(state: State) -> None:
    seen = state.observation(0)
    view = wire.view_to_proto(seen, compact=False)
    told = pb.View.FromString(view.SerializeToString()).structured
    assert (told.round, told.first, told.decision, told.robber) == (
        seen.round,
        seen.first,
        seen.decision,
        seen.robber,
    )
    assert told.seat_to_move == max(seen.current_seat, 0)
    assert (told.tribe_deck, told.goods_deck, told.dune_deck) == seen.decks
    assert tuple(map(tuple, (told.tribe_discard, told.goods_discard, told.dune_discard))) == seen.discards
    assert tuple(told.revealed) == seen.revealed
    assert (told.targia or None, told.top or None) == (seen.targia, seen.top)
    for player, view_of_player in zip(told.players, seen.players, strict=True):
        rows = tuple(tuple(row.cards) for row in player.display)
        for name in ("dates", "salt", "pepper", "gold", "water", "vp", "stored_gold"):
            assert getattr(player, name) == getattr(view_of_player, name)
        for name in ("hand", "tokens", "targis", "dune_targis", "markers"):
            assert tuple(getattr(player, name)) == getattr(view_of_player, name)
        assert rows == view_of_player.display


@given(positions)
@settings(max_examples=40, deadline=None)
def test_cells_say_how_a_card_lies_and_no_more_than_is_known(state: State) -> None:
    seen = state.observation(0)
    told = wire.observation_to_proto(seen).centre
    expected = [
        (pb.CELL_STATE_EMPTY, "")
        if cell.deck is None
        else (pb.CELL_STATE_FACE_UP if cell.face_up else pb.CELL_STATE_FACE_DOWN, cell.card or "")
        for cell in seen.centre
    ]
    assert [(cell.state, cell.card) for cell in told] == expected


def test_dunes_are_listed_only_where_the_ruleset_has_them() -> None:
    assert len(wire.observation_to_proto(new_game("base", SEED).observation(0)).dunes) == 0
    assert len(wire.observation_to_proto(new_game("mixed", SEED).observation(0)).dunes) == 3


def test_neither_form_of_a_view_holds_a_seed() -> None:
    opening = bytes(range(100, 132))
    observation = new_game("mixed", SEED, opening).observation(0)
    for compact in (False, True):
        data = wire.view_to_proto(observation, compact=compact).SerializeToString()
        assert not any(secret[k : k + 4] in data for secret in (SEED, opening) for k in range(29))


def test_a_structured_view_cannot_be_read_as_an_observation() -> None:
    view = wire.view_to_proto(new_game("base", SEED).observation(0), compact=False)
    with pytest.raises(WireError, match="compact"):
        wire.view_from_proto(view)


@pytest.mark.parametrize(
    ("words", "from_proto"),
    [
        (wire.RESULTS, wire.result_from_proto),
        (wire.TERMINATIONS, wire.termination_from_proto),
        (wire.CULPRITS, wire.culprit_from_proto),
    ],
)
def test_every_word_of_an_outcome_comes_back(words: dict[str, int], from_proto: object) -> None:
    assert callable(from_proto)
    assert {word: from_proto(number) for word, number in words.items()} == {word: word for word in words}
    with pytest.raises(WireError, match="update it"):
        from_proto(0)


@pytest.mark.parametrize(
    ("enum", "words"),
    [(pb.Result, wire.RESULTS), (pb.Termination, wire.TERMINATIONS), (pb.Culprit, wire.CULPRITS)],
)
def test_the_words_cover_their_enum(enum: type[pb.Result], words: dict[str, int]) -> None:
    assert sorted(words.values()) == sorted(number for number in enum.values() if number)


def test_an_outcome_carries_scores_and_breakdown() -> None:
    outcome = position("base", 7, 4_000).outcome()
    message = wire.outcome_to_proto(
        outcome.result, "normal", "none", scores=outcome.scores, breakdowns=outcome.breakdown, words="done"
    )
    assert wire.result_from_proto(message.result) == outcome.result
    assert wire.scores_from_proto(message) == outcome.scores
    for told, parts in zip(message.breakdowns, outcome.breakdown, strict=True):
        assert (told.tokens, told.printed, told.effects, told.rows, told.water) == parts
    assert wire.scores_from_proto(wire.outcome_to_proto("*", "server_error", "server")) is None


@pytest.mark.parametrize("name", RULESETS)
def test_rulesets_come_back_with_their_variants(name: str) -> None:
    rules = ruleset(name, "unpayable_raid=flat3")
    assert wire.ruleset_from_proto(wire.rules_to_proto(rules)) == rules


@pytest.mark.parametrize(
    ("field", "value", "words"),
    [
        ("rules_version", RULES + 1, "this engine has"),
        ("card_set_hash", "0" * 64, "card set 00000000"),
    ],
)
def test_other_rules_and_other_cards_are_refused(field: str, value: object, words: str) -> None:
    message = wire.rules_to_proto(ruleset("base"))
    setattr(message, field, value)
    with pytest.raises(WireError, match=words):
        wire.ruleset_from_proto(message)


def test_clocks_come_back_and_never_go_below_zero() -> None:
    assert wire.clocks_from_proto(wire.clocks_to_proto((59_000, -3))) == (59_000, 0)


def test_a_logged_action_says_who_when_and_what() -> None:
    message = wire.logged_to_proto(3, 1, 51, forced=True, charged_ms=12, named=True)
    assert (message.ply, message.seat, message.action.name) == (3, 1, "end")
    assert (message.forced, message.charged_ms) == (True, 12)


def test_a_view_of_an_observation_is_what_the_engine_encodes() -> None:
    observation = new_game("expansion", SEED).observation(1)
    assert wire.view_to_proto(observation, compact=True).compact == observation.encode()
    assert Observation.decode(observation.encode()) == observation
