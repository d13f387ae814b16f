"""What the client makes of a Rejected."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest
from fake_arena import FakeArena, offer, offer_rejected, rejected
from fake_match import FakeMatch
from targi.v1 import play_pb2 as pb
from targi.v1 import reason_pb2 as reasons
from targi_sdk.client import News, Summary
from trial_bots import Crash, Diary, Dice, First, Stubborn

Launch = Callable[..., "asyncio.Task[Summary]"]


def notices(news: list[News]) -> str:
    return "\n".join(each.words for each in news if each.kind == "notice")


async def test_after_stale_the_attached_turn_is_played(arena: FakeArena, launch: Launch) -> None:
    launch(First)
    line, match = await arena.welcomed(), FakeMatch()
    await line.say(match.started())
    match.answer((await line.hear("act")).act)
    await line.say(rejected(match.match_id, 0, reasons.REASON_STALE, match.open_turn()))
    act = (await line.hear("act")).act
    assert act.ply == match.state.ply > 0


async def test_after_stale_without_a_turn_the_answer_is_dropped(arena: FakeArena, launch: Launch) -> None:
    Diary.lines.clear()
    launch(Diary)
    line, match = await arena.welcomed(), FakeMatch()
    await line.say(match.started())
    await line.hear("act")
    await line.say(rejected(match.match_id, 0, reasons.REASON_STALE))
    match.play(match.state.legal_actions()[0])
    await line.say(*match.reply())
    assert (await line.hear("act")).act.ply == match.state.ply
    assert line.count("act") == 2


async def test_an_illegal_answer_is_shown_and_the_bot_chooses_again(
    arena: FakeArena, launch: Launch, news: list[News]
) -> None:
    launch(Dice)
    line, match = await arena.welcomed(), FakeMatch()
    await line.say(match.started())
    first = (await line.hear("act")).act
    await line.say(rejected(match.match_id, 0, reasons.REASON_ILLEGAL, match.open_turn()))
    second = (await line.hear("act")).act
    assert second.ply == first.ply
    assert second.actions != first.actions
    assert "ILLEGAL" in notices(news)


async def test_a_bot_that_repeats_an_illegal_answer_reports_that_it_failed(
    arena: FakeArena, launch: Launch
) -> None:
    Stubborn.asked = 0
    launch(Stubborn)
    line, match = await arena.welcomed(), FakeMatch()
    await line.say(match.started())
    await line.hear("act")
    await line.say(rejected(match.match_id, 0, reasons.REASON_ILLEGAL, match.open_turn()))
    report = (await line.hear("bot_error")).bot_error
    assert (report.match_id, report.ply) == (match.match_id, 0)
    assert "chose it again" in report.text
    assert (line.count("act"), Stubborn.asked) == (1, 2)


@pytest.mark.parametrize("reason", [reasons.REASON_UNAVAILABLE, reasons.REASON_INTERNAL])
async def test_what_the_service_could_not_take_is_sent_again_soon(
    arena: FakeArena, launch: Launch, reason: reasons.Reason.ValueType
) -> None:
    launch(Dice)
    line, match = await arena.welcomed(), FakeMatch()
    await line.say(match.started())
    first = (await line.hear("act")).act
    await line.say(rejected(match.match_id, 0, reason, match.open_turn()))
    assert (await line.hear("act")).act == first


async def test_a_ply_that_the_store_lost_is_answered_on_the_turn_that_is_open_now(
    arena: FakeArena, launch: Launch
) -> None:
    launch(First)
    line, match, before = await arena.welcomed(), FakeMatch(), FakeMatch()
    await line.say(match.started())
    await line.say(*match.answer((await line.hear("act")).act))
    ply = (await line.hear("act")).act.ply
    await line.say(rejected(match.match_id, ply, reasons.REASON_UNAVAILABLE, before.open_turn()))
    assert (await line.hear("act")).act.ply == 0


async def test_an_unknown_match_is_forgotten(arena: FakeArena, launch: Launch, news: list[News]) -> None:
    Diary.lines.clear()
    launch(Diary)
    line, match = await arena.welcomed(), FakeMatch()
    await line.say(match.started())
    await line.hear("act")
    await line.say(rejected(match.match_id, 0, reasons.REASON_UNKNOWN_MATCH))
    await line.say(match.turn())
    await line.settle()
    assert line.count("act") == 1
    assert "UNKNOWN_MATCH" in notices(news)


@pytest.mark.parametrize("reason", [reasons.REASON_NOT_YOUR_TURN, reasons.REASON_MATCH_OVER])
async def test_an_answer_that_nobody_waits_for_is_not_sent_again(
    arena: FakeArena, launch: Launch, reason: reasons.Reason.ValueType
) -> None:
    launch(First)
    line, match = await arena.welcomed(), FakeMatch()
    await line.say(match.started())
    await line.hear("act")
    await line.say(rejected(match.match_id, 0, reason))
    match.play(match.state.legal_actions()[0])
    await line.say(match.started())
    await line.settle()
    assert line.count("act") == 1


async def test_reasons_of_a_later_version_are_shown_by_number(
    arena: FakeArena, launch: Launch, news: list[News]
) -> None:
    launch(First)
    line = await arena.welcomed()
    later = pb.Rejected.FromString(
        pb.Rejected(match_id="b" * 16, words="new").SerializeToString() + b"\x18\x63"
    )
    await line.say(pb.ServerEvent(rejected=later), pb.ServerEvent())
    await line.settle()
    assert "reason 99" in notices(news)


async def test_a_refused_offer_and_words_of_the_service_are_shown(
    arena: FakeArena, launch: Launch, news: list[News]
) -> None:
    launch(First)
    line = await arena.welcomed()
    await line.say(offer())
    await line.hear("ready")
    await line.say(offer_rejected("f" * 16, reasons.REASON_UNKNOWN_OFFER))
    await line.say(
        pb.ServerEvent(offer_lapsed=pb.OfferLapsed(offer_id="e" * 16, own_fault=True, words="too late")),
        pb.ServerEvent(notice=pb.Notice(reason=reasons.REASON_BOT_PAUSED, words="three incidents")),
        pb.ServerEvent(draining=pb.Draining(grace_ms=2_000)),
    )
    await line.settle()
    for words in ("UNKNOWN_OFFER", "lapsed because of this bot", "three incidents", "stops within 2 s"):
        assert words in notices(news)


async def test_a_report_of_a_failure_that_the_service_could_not_take_is_sent_again(
    arena: FakeArena, launch: Launch
) -> None:
    launch(Crash)
    line, match = await arena.welcomed(), FakeMatch()
    await line.say(match.started())
    report = (await line.hear("bot_error")).bot_error
    await line.say(rejected(match.match_id, report.ply, reasons.REASON_UNAVAILABLE))
    assert (await line.hear("bot_error")).bot_error == report


async def test_a_refusal_that_contradicts_itself_leads_to_no_endless_exchange(
    arena: FakeArena, launch: Launch
) -> None:
    launch(First)
    line, match = await arena.welcomed(), FakeMatch()
    await line.say(match.started())
    await line.hear("act")
    await line.say(rejected(match.match_id, 0, reasons.REASON_STALE, match.open_turn()))
    await line.settle()
    assert line.count("act") == 1
