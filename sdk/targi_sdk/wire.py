"""Between the engine's values and the messages of `targi.v1`, for client and server alike.

`NAME_to_proto` makes a message, `NAME_from_proto` reads one and raises `WireError` for a value that makes no
sense. Words of the record notation ("1-0", "time", "both") stand for the enums of results. The conversions
share immutable messages where they can, because they run once for every turn of every match.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from types import MappingProxyType

from targi.v1 import game_pb2 as pb
from targi_engine import (
    ACTIONS,
    RULES,
    Breakdown,
    CentreCard,
    Observation,
    PlayerView,
    Ruleset,
    action_id,
    action_name,
    ruleset,
)

from targi_sdk.errors import WireError

__all__ = [
    "CULPRITS",
    "RESULTS",
    "TERMINATIONS",
    "action_from_proto",
    "action_to_proto",
    "actions_from_proto",
    "actions_to_proto",
    "clocks_from_proto",
    "clocks_to_proto",
    "culprit_from_proto",
    "logged_to_proto",
    "observation_to_proto",
    "outcome_to_proto",
    "result_from_proto",
    "rules_to_proto",
    "ruleset_from_proto",
    "scores_from_proto",
    "termination_from_proto",
    "time_control_to_proto",
    "view_from_proto",
    "view_to_proto",
]

RESULTS: Mapping[str, pb.Result.ValueType] = MappingProxyType(
    {
        "1-0": pb.RESULT_SEAT0_WINS,
        "0-1": pb.RESULT_SEAT1_WINS,
        "1/2-1/2": pb.RESULT_DRAW,
        "*": pb.RESULT_NO_CONTEST,
    }
)
"""Result in record notation to its enum value."""

TERMINATIONS: Mapping[str, pb.Termination.ValueType] = MappingProxyType(
    {
        "normal": pb.TERMINATION_NORMAL,
        "resigned": pb.TERMINATION_RESIGNED,
        "time": pb.TERMINATION_TIME,
        "illegal": pb.TERMINATION_ILLEGAL,
        "bot_error": pb.TERMINATION_BOT_ERROR,
        "abandoned": pb.TERMINATION_ABANDONED,
        "aborted": pb.TERMINATION_ABORTED,
        "server_error": pb.TERMINATION_SERVER_ERROR,
    }
)
"""Termination in record notation to its enum value."""

CULPRITS: Mapping[str, pb.Culprit.ValueType] = MappingProxyType(
    {
        "none": pb.CULPRIT_NONE,
        "0": pb.CULPRIT_SEAT0,
        "1": pb.CULPRIT_SEAT1,
        "both": pb.CULPRIT_BOTH,
        "server": pb.CULPRIT_SERVER,
    }
)
"""Culprit in record notation to its enum value."""


def action_to_proto(action: int, *, named: bool) -> pb.Action:
    """The message of an action, with its notation if `named`. It is shared: copy it before changing it."""
    return _messages(named)[action]


def actions_to_proto(actions: Iterable[int], *, named: bool) -> list[pb.Action]:
    """The messages of actions, in their order."""
    messages = _messages(named)
    return [messages[action] for action in actions]


@cache
def _messages(named: bool) -> tuple[pb.Action, ...]:
    return tuple(pb.Action(id=number, name=name * named) for number, name in enumerate(ACTIONS))


def action_from_proto(message: pb.Action) -> int:
    """The id of an action. The notation wins over the id.

    Raises `UnknownAction` of the engine, and `WireError` for an action with neither.
    """
    if message.name:
        return action_id(message.name)
    if not message.HasField("id"):
        raise WireError("an empty action came, with neither id nor name")
    if message.id >= len(ACTIONS):
        action_name(message.id)
    return message.id


def actions_from_proto(messages: Iterable[pb.Action]) -> tuple[int, ...]:
    """The ids of actions, in their order. Raises like `action_from_proto`."""
    return tuple(map(action_from_proto, messages))


def logged_to_proto(
    ply: int, seat: int, action: int, *, forced: bool = False, charged_ms: int = 0, named: bool
) -> pb.LoggedAction:
    """One entry of a match's log. A forced action carries the ply of the asked one before it."""
    return pb.LoggedAction(
        ply=ply, seat=seat, action=action_to_proto(action, named=named), forced=forced, charged_ms=charged_ms
    )


def clocks_to_proto(clocks: Sequence[int]) -> pb.Clocks:
    """Time left of seats 0 and 1, in milliseconds; a clock below zero is sent as 0."""
    return pb.Clocks(seat0_ms=max(0, clocks[0]), seat1_ms=max(0, clocks[1]))


def clocks_from_proto(message: pb.Clocks) -> tuple[int, int]:
    """Time left of seats 0 and 1, in milliseconds."""
    return message.seat0_ms, message.seat1_ms


def time_control_to_proto(base_ms: int, increment_ms: int) -> pb.TimeControl:
    """Time at the start and after each own turn, in milliseconds."""
    return pb.TimeControl(base_ms=base_ms, increment_ms=increment_ms)


def result_from_proto(value: pb.Result.ValueType) -> str:
    """A result in record notation."""
    return _word(RESULTS, value, "result")


def termination_from_proto(value: pb.Termination.ValueType) -> str:
    """A termination in record notation."""
    return _word(TERMINATIONS, value, "termination")


def culprit_from_proto(value: pb.Culprit.ValueType) -> str:
    """A culprit in record notation."""
    return _word(CULPRITS, value, "culprit")


def _word(words: Mapping[str, int], value: int, what: str) -> str:
    for word, number in words.items():
        if number == value:
            return word
    raise WireError(f"{what} {value} is none that this SDK knows: update it (pip install -U targi)")


def outcome_to_proto(
    result: str,
    termination: str,
    culprit: str,
    *,
    scores: Sequence[int] = (),
    breakdowns: Iterable[Breakdown] = (),
    words: str = "",
) -> pb.Outcome:
    """The end of a match, from words in record notation. Without a final position there are no scores."""
    return pb.Outcome(
        result=RESULTS[result],
        termination=TERMINATIONS[termination],
        culprit=CULPRITS[culprit],
        scores=scores,
        breakdowns=[pb.ScoreBreakdown(**parts._asdict()) for parts in breakdowns],
        words=words,
    )


def scores_from_proto(message: pb.Outcome) -> tuple[int, int] | None:
    """Scores of seats 0 and 1, None where there are none."""
    if len(message.scores) != 2:
        return None
    return message.scores[0], message.scores[1]


def rules_to_proto(rules: Ruleset) -> pb.Rules:
    """Rules and cards, of this engine's version."""
    return pb.Rules(
        ruleset=rules.name, variants=rules.variants, card_set_hash=rules.cards_hash, rules_version=RULES
    )


def ruleset_from_proto(message: pb.Rules) -> Ruleset:
    """The ruleset that is meant. Raises `WireError` for other cards or another rules version.

    Raises `UnknownRuleset` and `UnknownVariant` of the engine.
    """
    if message.rules_version != RULES:
        raise WireError(f"rules version {message.rules_version} is asked for, this engine has {RULES}")
    rules = ruleset(message.ruleset, message.variants)
    if message.card_set_hash and message.card_set_hash != rules.cards_hash:
        raise WireError(
            f"the card set {message.card_set_hash[:8]}.. is asked for, "
            f"{message.ruleset} here has {rules.cards_hash[:8]}.."
        )
    return rules


def view_to_proto(observation: Observation, *, compact: bool) -> pb.View:
    """A position in the form that a session asked for."""
    if compact:
        return pb.View(compact=observation.encode())
    return pb.View(structured=observation_to_proto(observation))


def view_from_proto(message: pb.View) -> Observation:
    """The position of a compact view. Raises `WireError`, and `ObservationError` of the engine."""
    if message.WhichOneof("form") != "compact":
        raise WireError(
            "the view has no compact form; the structured one cannot be turned into an Observation"
        )
    return Observation.decode(message.compact)


def observation_to_proto(observation: Observation) -> pb.Observation:
    """The structured form of a position: everything by name, nothing to decode."""
    decks, discards = observation.decks, observation.discards
    return pb.Observation(
        round=observation.round,
        first=observation.first,
        seat_to_move=max(0, observation.current_seat),
        decision=observation.decision,
        players=[_player_to_proto(player) for player in observation.players],
        centre=[_cell_to_proto(cell) for cell in observation.centre],
        robber=observation.robber,
        targia=observation.targia or 0,
        dunes=[card or "" for card in observation.dunes] if observation.ruleset.expanded else [],
        top=observation.top or "",
        tribe_deck=decks.tribe,
        goods_deck=decks.goods,
        dune_deck=decks.dunes,
        tribe_discard=discards.tribe,
        goods_discard=discards.goods,
        dune_discard=discards.dunes,
        revealed=observation.revealed,
    )


def _player_to_proto(player: PlayerView) -> pb.Player:
    return pb.Player(
        dates=player.dates,
        salt=player.salt,
        pepper=player.pepper,
        gold=player.gold,
        water=player.water,
        vp=player.vp,
        hand=player.hand,
        display=[pb.DisplayRow(cards=row) for row in player.display],
        tokens=player.tokens,
        stored_gold=player.stored_gold,
        targis=player.targis,
        dune_targis=player.dune_targis,
        markers=player.markers,
    )


def _cell_to_proto(cell: CentreCard) -> pb.Cell:
    if cell.deck is None:
        return pb.Cell(state=pb.CELL_STATE_EMPTY)
    state = pb.CELL_STATE_FACE_UP if cell.face_up else pb.CELL_STATE_FACE_DOWN
    return pb.Cell(state=state, card=cell.card or "")
