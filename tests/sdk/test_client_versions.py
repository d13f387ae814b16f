"""A client whose rules or vocabulary are not the server's: notation both ways, and no guess about ids."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest
from fake_arena import FakeArena, Line, welcome
from fake_match import FakeMatch
from targi.v1 import game_pb2
from targi.v1 import play_pb2 as pb
from targi_engine import ACTIONS, RULES, VOCABULARY, action_id
from targi_sdk.client import News, Summary
from targi_sdk.errors import VersionError
from trial_bots import Dice, First

Launch = Callable[..., "asyncio.Task[Summary]"]


def foreign(event: pb.ServerEvent) -> pb.ServerEvent:
    """An event as a server with other numbers says it: with notation, and ids that mean something else."""
    for action in _actions(event):
        action.name = ACTIONS[action.id]
        action.id = (action.id + 7) % len(ACTIONS)
    return event


def _actions(event: pb.ServerEvent) -> list[game_pb2.Action]:
    started, turn = event.match_started, event.turn
    return [
        *(logged.action for logged in (*started.log, *event.applied.actions)),
        *turn.legal,
        *started.turn.legal,
    ]


def other_vocabulary() -> pb.ServerEvent:
    event = welcome(ids=False)
    event.welcome.vocabulary_version = VOCABULARY + 1
    return event


async def begun(arena: FakeArena, first: pb.ServerEvent) -> tuple[Line, FakeMatch]:
    line, match = await arena.line(), FakeMatch()
    await line.hear("hello")
    await line.say(first, foreign(match.started()))
    return line, match


async def play_on(line: Line, match: FakeMatch) -> None:
    """Play to the end with a client that must say all in notation."""
    while not match.state.is_over:
        (action,) = (await line.hear("act")).act.actions
        assert action.name
        applied = match.play(action_id(action.name))
        await line.say(*map(foreign, [applied, *match.reply()]))


async def test_a_match_is_played_to_its_end_by_notation(
    arena: FakeArena, launch: Launch, news: list[News]
) -> None:
    playing = launch(Dice, games=1)
    line, match = await begun(arena, other_vocabulary())
    await play_on(line, match)
    line.end()
    (end,) = (await playing).ended
    assert end.termination == "normal"
    assert not [each for each in news if each.kind == "failed"]


async def test_a_server_that_calls_the_ids_good_but_has_another_vocabulary_is_not_believed(
    arena: FakeArena, launch: Launch
) -> None:
    launch(First)
    event = other_vocabulary()
    event.welcome.action_ids = True
    line, match = await begun(arena, event)
    assert (await line.hear("act")).act.actions[0].name == ACTIONS[match.state.legal_actions()[0]]


async def test_ids_without_notation_are_not_guessed_at(
    arena: FakeArena, launch: Launch, news: list[News]
) -> None:
    launch(First)
    line, match = await arena.line(), FakeMatch()
    await line.hear("hello")
    await line.say(other_vocabulary(), match.started())
    assert "no action in it has a notation" in (await line.hear("bot_error")).bot_error.text


async def test_an_action_of_a_later_vocabulary_is_left_out(arena: FakeArena, launch: Launch) -> None:
    launch(First)
    line, match = await arena.line(), FakeMatch()
    await line.hear("hello")
    event = foreign(match.started())
    event.match_started.turn.legal.insert(0, game_pb2.Action(id=len(ACTIONS), name="fly>moon"))
    event.match_started.log.append(game_pb2.LoggedAction(action=game_pb2.Action(id=9, name="fly>sun")))
    await line.say(other_vocabulary(), event)
    assert (await line.hear("act")).act.actions[0].name == ACTIONS[match.state.legal_actions()[0]]


async def test_with_other_rules_running_matches_are_played_to_their_end_and_nothing_is_begun(
    arena: FakeArena, launch: Launch, news: list[News]
) -> None:
    playing = launch(Dice)
    line, match = await begun(arena, welcome(running=1, ids=False, rules=RULES + 1))
    await line.hear("leave")
    await play_on(line, match)
    line.end()
    with pytest.raises(VersionError, match=f"rules version {RULES + 1}"):
        await playing
    assert [each.kind for each in news if each.kind == "ended"] == ["ended"]


async def test_with_other_rules_and_nothing_running_the_client_stops_at_once(
    arena: FakeArena, launch: Launch
) -> None:
    playing = launch(First)
    line = await arena.line()
    await line.hear("hello")
    await line.say(welcome(rules=RULES + 1))
    with pytest.raises(VersionError, match="install the other version of targi"):
        await playing
