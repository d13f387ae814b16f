"""Traces: one JSON object a decision, with the state before the action, and one for the end."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from targi_engine.actions import action_name
from targi_engine.board import DUNE_BIT, bits
from targi_engine.goods import KINDS
from targi_engine.player import ROW_CELLS, ROWS, Player
from targi_engine.ruleset import Ruleset
from targi_engine.scoring import Outcome
from targi_engine.state import State

if TYPE_CHECKING:
    from targi_engine.record import Record

JsonObject = dict[str, object]


def trace(record: Record, rules: Ruleset | None = None) -> Iterator[JsonObject]:
    """The trace of a record; `rules` only where it was played with cards of one's own.

    Raises RecordVersionError, and RecordActionError at an action that is not legal.
    """
    states = record.states(rules)
    for (action, _), state in zip(record.actions, states, strict=False):
        yield {**describe(state), "action": action_name(action)}
    outcome = next(states).outcome()
    yield describe_outcome(outcome, record.result)


def describe(state: State) -> JsonObject:
    """A state with a decision to make, as the keys of a trace."""
    names = state.ruleset.catalog.names
    line: JsonObject = {
        "ply": state.ply,
        "round": state.round,
        "first": state.first,
        "seat": state.current_seat,
        "decision": state.decision,
        "legal": [action_name(action) for action in state.legal_actions()],
        "players": [_player(state, me) for me in state.players],
        "centre": centre_names(state),
        "robber": state.robber,
        "targia": state.targia or None,
        "targis": [place_names(me.targis) for me in state.players],
        "markers": [list(bits(me.markers)) for me in state.players],
        "dunes": [names[card] if card else None for card in state.dune_slots],
        "top": top_name(state),
        "decks": {"tribe": state.tribe.left(), "goods": state.goods.left(), "dunes": state.dunes.left()},
        "discards": {
            "tribe": len(state.tribe.discard),
            "goods": len(state.goods.discard),
            "dunes": len(state.dunes.discard),
        },
    }
    if state.shown:
        line["revealed"] = [names[card] for card in state.shown]
    return line


def describe_outcome(outcome: Outcome, result: str) -> JsonObject:
    """The last line of a trace."""
    return {
        "result": result,
        "score": list(outcome.scores),
        "breakdown": [parts._asdict() for parts in outcome.breakdown],
    }


def centre_names(state: State) -> list[str | None]:
    """The notation of the nine cells: "?" for a face-down card, None for an empty cell."""
    names = state.ruleset.catalog.names
    return [
        ("?" if state.down >> cell & 1 else names[card]) if card else None
        for cell, card in enumerate(state.centre)
    ]


def place_names(targis: int) -> list[int | str]:
    """The numbers of border cards, then "d1" to "d3"."""
    return [place if place < DUNE_BIT else f"d{place - DUNE_BIT}" for place in bits(targis)]


def top_name(state: State) -> str | None:
    """The face-up top tribe card (X1.4)."""
    if not state.ruleset.open_top or not state.tribe.left():
        return None
    return state.ruleset.catalog.names[state.tribe.cards[state.tribe.at]]


def _player(state: State, me: Player) -> JsonObject:
    names = state.ruleset.catalog.names
    rows = [me.display[ROW_CELLS * row : ROW_CELLS * (row + 1)] for row in range(ROWS)]
    return {
        **dict(zip(KINDS, me.stock, strict=True)),
        "hand": [names[card] for card in me.hand],
        "display": [[names[card] for card in row if card] for row in rows],
        "tokens": [names[card] for card in me.display if card in me.tokens],
        "stored_gold": len(me.stored),
    }
