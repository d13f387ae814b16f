"""What a Hello may say, and what both sides then rely on."""

from importlib.metadata import version
from typing import Any

import pytest
from targi.v1 import play_pb2, reason_pb2
from targi_engine import RULES, VOCABULARY
from targi_server.accounts.identity import Identity, TokenKind
from targi_server.errors import Invalid
from targi_server.play.greeting import Greeting, read_hello, welcome
from targi_server.settings import Settings

SETTINGS = Settings(max_capacity=8)
ANN = Identity(TokenKind.BOT, "ann", bot="ann-one")


def hello(**fields: Any) -> play_pb2.Hello:  # Any: the fields of a message differ
    values: dict[str, Any] = {
        "session": "session-of-ann-one",
        "bot_version": "1.0",
        "vocabulary_version": VOCABULARY,
        "rules_versions": [RULES],
        "capacity": 4,
        "view": play_pb2.VIEW_FORM_COMPACT,
    }
    return play_pb2.Hello(**values | fields)


def read(**fields: Any) -> Greeting:  # Any: the fields of a message differ
    return read_hello(hello(**fields), ANN, SETTINGS)


def test_the_bot_is_the_tokens_whatever_else_is_said() -> None:
    arrival = read(ladder=True).arrival
    assert (arrival.bot, arrival.owner, arrival.version) == ("ann-one", "ann", "1.0")
    assert arrival.ladder
    assert arrival.rulesets == ("base",)


def test_capacity_is_at_most_the_servers() -> None:
    assert [read(capacity=capacity).arrival.capacity for capacity in (1, 8, 9, 4000)] == [1, 8, 8, 8]


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("session", "too short"),
        ("session", "x" * 65),
        ("session", "with a line break\n"),
        ("bot_version", ""),
        ("bot_version", "v" * 65),
        ("capacity", 0),
        ("nonce_chain_head", b"\0" * 31),
        ("rulesets", ["chess"]),
    ],
)
def test_a_bad_field_is_named(field: str, value: Any) -> None:  # Any: the fields of a message differ
    with pytest.raises(Invalid, match=field.removesuffix("s").replace("bot_", "bot ")):
        read(**{field: value})


def test_a_ruleset_that_is_not_known_is_left_out_with_words() -> None:
    greeting = read(rulesets=["base", "chess", "base"])
    assert greeting.arrival.rulesets == ("base",)
    assert [reason for reason, _ in greeting.notices] == [reason_pb2.REASON_INVALID]
    assert "chess" in greeting.notices[0][1]


def test_equal_versions_may_use_ids_and_leave_notation_out() -> None:
    greeting = read()
    assert greeting.action_ids
    assert greeting.form.compact
    assert not greeting.form.named
    assert not greeting.notices


@pytest.mark.parametrize("fields", [{"vocabulary_version": VOCABULARY + 1}, {"rules_versions": [RULES + 1]}])
def test_other_versions_use_notation_and_are_told_so(fields: dict[str, Any]) -> None:
    greeting = read(**fields)
    assert not greeting.action_ids
    assert greeting.form.named
    assert [reason for reason, _ in greeting.notices] == [reason_pb2.REASON_VERSION_MISMATCH]


def test_a_bot_without_ids_uses_notation_without_a_fuss() -> None:
    greeting = read(vocabulary_version=0, rules_versions=[])
    assert not greeting.action_ids
    assert greeting.form.named
    assert not greeting.notices


def test_the_structured_view_is_the_default_and_carries_notation() -> None:
    greeting = read(view=play_pb2.VIEW_FORM_UNSPECIFIED)
    assert not greeting.form.compact
    assert greeting.form.named
    assert greeting.action_ids


def test_welcome_says_what_holds() -> None:
    message = welcome(read(), SETTINGS, running_matches=3)
    assert (message.bot, message.session) == ("ann-one", "session-of-ann-one")
    assert (message.server_version, list(message.rules_versions)) == (version("targi"), [RULES])
    assert message.limits.max_capacity == 8
    assert message.limits.heartbeat_ms == SETTINGS.heartbeat_ms
    assert message.limits.max_chain > 1
    assert (message.running_matches, message.action_ids) == (3, True)
