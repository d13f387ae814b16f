"""The rules of Targi: pure, deterministic, standard library only.

A game is a sequence of decisions; `new_game` deals one, `State.legal_actions` and `State.apply`
play it, `State.observation` tells what a seat may know of it. See README.md beside this package.
"""

from __future__ import annotations

from targi_engine.actions import ACTIONS, VOCABULARY, action_id, action_name
from targi_engine.cardfile import CardSet, load_cards, parse_cards
from targi_engine.cardschema import card_schema
from targi_engine.coverage import Coverage, Row
from targi_engine.errors import (
    CardFileError,
    EngineError,
    IllegalAction,
    ObservationError,
    RecordActionError,
    RecordError,
    RecordResultError,
    RecordSyntaxError,
    RecordVersionError,
    SeedError,
    UnknownAction,
    UnknownRuleset,
    UnknownVariant,
)
from targi_engine.meanings import explain
from targi_engine.observation import Observation
from targi_engine.pending import Pending
from targi_engine.perft import perft
from targi_engine.playout import playout
from targi_engine.provenance import house_border, house_cards
from targi_engine.randomness import Words
from targi_engine.record import Record
from targi_engine.replay import replay
from targi_engine.ruleset import (
    RULES,
    RULESETS,
    VARIANTS,
    Ruleset,
    effective_json,
    format_variants,
    parse_variants,
    ruleset,
)
from targi_engine.scoring import Breakdown, Outcome
from targi_engine.setup import new_game
from targi_engine.show import show
from targi_engine.state import State
from targi_engine.trace import trace
from targi_engine.verify import Verification, verify
from targi_engine.views import CentreCard, Counts, Discards, PlayerView, RoundView

__all__ = [
    "ACTIONS",
    "RULES",
    "RULESETS",
    "VARIANTS",
    "VOCABULARY",
    "Breakdown",
    "CardFileError",
    "CardSet",
    "CentreCard",
    "Counts",
    "Coverage",
    "Discards",
    "EngineError",
    "IllegalAction",
    "Observation",
    "ObservationError",
    "Outcome",
    "Pending",
    "PlayerView",
    "Record",
    "RecordActionError",
    "RecordError",
    "RecordResultError",
    "RecordSyntaxError",
    "RecordVersionError",
    "RoundView",
    "Row",
    "Ruleset",
    "SeedError",
    "State",
    "UnknownAction",
    "UnknownRuleset",
    "UnknownVariant",
    "Verification",
    "Words",
    "action_id",
    "action_name",
    "card_schema",
    "effective_json",
    "explain",
    "format_variants",
    "house_border",
    "house_cards",
    "load_cards",
    "new_game",
    "parse_cards",
    "parse_variants",
    "perft",
    "playout",
    "replay",
    "ruleset",
    "show",
    "trace",
    "verify",
]
