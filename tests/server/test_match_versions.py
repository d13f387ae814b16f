"""Which matches this process can play."""

from dataclasses import replace

import pytest
from lobby_floor import TIMES
from targi_engine import RULES, VOCABULARY
from targi_server.lobby.terms import terms
from targi_server.match.model import Kind
from targi_server.match.versions import EDITION, edition_of, is_replayable, objection

DEALT = terms(Kind.SINGLE, "base", TIMES)


def test_what_is_dealt_here_can_be_played_here() -> None:
    assert is_replayable(DEALT)
    assert edition_of(DEALT) == EDITION


def test_an_older_vocabulary_is_no_obstacle() -> None:
    assert is_replayable(replace(DEALT, vocabulary=VOCABULARY - 1))


@pytest.mark.parametrize(
    ("field", "value", "words"),
    [
        ("rules", RULES + 1, f"rules version {RULES + 1}, this server {RULES}"),
        ("rules", RULES - 1, f"rules version {RULES - 1}, this server {RULES}"),
        ("vocabulary", VOCABULARY + 1, f"vocabulary version {VOCABULARY + 1}"),
        ("ruleset", "camels", "camels"),
        ("variants", "moon=full", "moon"),
        ("cards_hash", "0" * 64, "card set 00000000"),
    ],
)
def test_other_rules_a_later_vocabulary_and_other_cards_are(field: str, value: int | str, words: str) -> None:
    other = replace(DEALT, **{field: value})  # type: ignore[arg-type]  # the fields have two types
    assert not is_replayable(other)
    assert words in objection(other)
