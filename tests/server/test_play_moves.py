"""Turn and Applied are written by hand: generated code must read in them what it would have written."""

import random
from collections.abc import Iterator

import pytest
from targi.v1 import game_pb2, play_pb2
from targi_engine import State, new_game, ruleset
from targi_sdk.wire import actions_to_proto, clocks_to_proto, logged_to_proto, view_to_proto
from targi_server.match.model import Kind, MatchHeader, SeatHeader
from targi_server.play import moves
from targi_server.play.chain import Step, steps_of
from targi_server.play.session import Form

FORMS = [Form(compact, named) for compact in (True, False) for named in (True, False)]
CLOCKS = (60_123, 0)


def header(rules: str) -> MatchHeader:
    seats = (SeatHeader("alba", "1", "ada"), SeatHeader("bora", "2", "bea"))
    return MatchHeader(
        match_id="00112233445566ff",
        pair_id="",
        game=1,
        next_match_id="",
        kind=Kind.SINGLE,
        ruleset=rules,
        variants="",
        cards_hash=ruleset(rules).cards_hash,
        rules=1,
        vocabulary=1,
        seed=bytes(32),
        opening=None,
        seats=seats,
        base_ms=60_000,
        increment_ms=1_000,
        budget_ms=60_000,
        secrets=None,
        given_seeds=False,
        hold_allowed=False,
        created_ms=0,
    )


def positions(rules: str) -> Iterator[State]:
    """A whole game at random."""
    rng = random.Random(3)
    state = new_game(rules, bytes(32))
    while not state.is_over:
        yield state
        state.apply(rng.choice(state.legal_actions()))


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("rules", ["base", "expansion"])
def test_a_turn_reads_like_one_that_generated_code_wrote(rules: str, form: Form) -> None:
    about = header(rules)
    for state in positions(rules):
        expected = play_pb2.Turn(
            match_id=about.match_id,
            ply=state.ply,
            decision=state.decision,
            legal=actions_to_proto(state.legal_actions(), named=form.named),
            clocks=clocks_to_proto(CLOCKS),
        )
        without_view = moves.turn(about, state, CLOCKS, form, view=False)
        assert play_pb2.Turn.FromString(without_view) == expected
        expected.view.CopyFrom(view_to_proto(state.observation(state.current_seat), compact=form.compact))
        assert play_pb2.Turn.FromString(moves.turn(about, state, CLOCKS, form)) == expected


@pytest.mark.parametrize("form", FORMS)
def test_an_applied_reads_like_one_that_generated_code_wrote(form: Form) -> None:
    about = header("base")
    rng = random.Random(4)
    for state in positions("base"):
        after, action = state.clone(), rng.choice(state.legal_actions())
        after.apply(action)
        steps = steps_of(after, state.ply, state.current_seat, action)
        charges = [730, *[0] * (len(steps) - 1)]
        expected = play_pb2.Applied(
            match_id=about.match_id,
            ply=state.ply,
            actions=[_logged(step, charge, form) for step, charge in zip(steps, charges, strict=True)],
            taken=1,
            charged_ms=730,
            clocks=clocks_to_proto(CLOCKS),
            next_ply=state.ply + 1,
        )
        event = moves.applied(about, steps, ply=state.ply, taken=1, charged_ms=730, clocks=CLOCKS, form=form)
        frame = play_pb2.PlayResponse(events=[play_pb2.ServerEvent(applied=expected)])
        assert play_pb2.PlayResponse.FromString(event) == frame


def _logged(step: Step, charge: int, form: Form) -> game_pb2.LoggedAction:
    return logged_to_proto(
        step.ply, step.seat, step.action, forced=step.forced, charged_ms=charge, named=form.named
    )
