"""The public names of the engine: adding one is deliberate, taking one away breaks somebody."""

from __future__ import annotations

import targi_engine

NAMES = {
    "ACTIONS",
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
    "RULES",
    "RULESETS",
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
    "VARIANTS",
    "VOCABULARY",
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
}


def test_the_public_names_are_these() -> None:
    assert set(targi_engine.__all__) == NAMES


def test_every_public_name_is_there() -> None:
    assert all(hasattr(targi_engine, name) for name in targi_engine.__all__)
