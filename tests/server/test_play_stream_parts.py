"""The parts of a stream that need no stream: queue, pulse, ends, encoding, links."""

import asyncio

import pytest
from targi.v1 import game_pb2, play_pb2
from targi_engine import ACTIONS, action_id
from targi_server.errors import Invalid, ProtocolBreach, SlowReader
from targi_server.play.door import Door
from targi_server.play.encoding import encoded, entry
from targi_server.play.ends import Ends
from targi_server.play.links import MAX_CHAIN, read_links
from targi_server.play.outbox import Outbox
from targi_server.play.pulse import Pulse, Standstill


async def test_everything_that_is_due_goes_into_one_frame() -> None:
    outbox = Outbox(limit=10)
    taking = asyncio.create_task(outbox.take(1000))
    await asyncio.sleep(0)
    for event in (b"one", b"two", b"three"):
        outbox.push(event)
    assert await taking == b"onetwothree"
    assert outbox.waiting == 0


async def test_a_frame_holds_what_fits_and_the_rest_waits() -> None:
    outbox = Outbox(limit=10)
    for event in (b"12345", b"67890", b"large" * 9, b"x"):
        outbox.push(event)
    assert [await outbox.take(10) for _ in range(3)] == [b"1234567890", b"large" * 9, b"x"]


async def test_a_full_queue_ends_the_stream_with_words() -> None:
    outbox = Outbox(limit=2)
    for _ in range(3):
        outbox.push(b"event")
    error = await outbox.ended()
    assert isinstance(error, SlowReader)
    assert "read" in error.words


async def test_what_was_pushed_before_a_good_end_is_still_taken() -> None:
    outbox = Outbox(limit=2)
    outbox.push(b"last")
    outbox.close()
    outbox.push(b"too late")
    assert await outbox.take(100) == b"last"
    assert await outbox.take(100) == b""
    assert await outbox.ended() is None


async def test_the_first_end_counts() -> None:
    outbox = Outbox(limit=2)
    outbox.close(ProtocolBreach("first"))
    outbox.close()
    assert isinstance(await outbox.ended(), ProtocolBreach)


async def test_a_door_is_shut_when_the_last_one_is_through() -> None:
    door = Door()
    with door:
        with door:
            shutting = asyncio.create_task(door.shut())
            await asyncio.sleep(0)
            assert door.is_shut
        await asyncio.sleep(0)
        assert not shutting.done()
    await shutting


def test_a_ping_is_due_once_a_heartbeat() -> None:
    pulse = Pulse(heartbeat_s=5.0, now=100.0)
    assert [pulse.ask(now) for now in (104.9, 105.0, 106.0, 110.0)] == [0, 1, 0, 2]


def test_silence_counts_from_the_last_sign_of_life() -> None:
    pulse = Pulse(heartbeat_s=5.0, now=100.0)
    assert not pulse.silent_for(110.0, 2)
    assert pulse.silent_for(110.1, 2)
    pulse.heard(110.1)
    assert not pulse.silent_for(120.0, 2)


def test_what_the_server_stood_still_is_no_silence_of_its_peers() -> None:
    pulse, standstill = Pulse(5, now=0), Standstill(1, now=0)
    pulse.excuse(standstill.since_last_look(now=1.9))
    assert not pulse.silent_for(10, beats=2)
    pulse.excuse(standstill.since_last_look(now=13))  # stopped for some 11 s: two of them are usual
    assert not pulse.silent_for(13, beats=2)
    assert pulse.silent_for(10 + 9.2, beats=2)
    assert standstill.since_last_look(now=14) == 0


def test_an_end_is_known_with_the_pong_to_a_ping_behind_it() -> None:
    ends = Ends()
    ends.pinged(1)
    ends.sent("m")
    ends.ponged(1)
    assert ends.to_tell({"m"}, ()) == set()
    ends.pinged(2)
    ends.ponged(2)
    assert ends.to_tell({"m"}, ()) == {"m"}
    assert "m" in ends


def test_a_bot_that_left_has_what_was_sent_unless_a_ping_behind_that_found_no_answer() -> None:
    ends = Ends()
    ends.sent("missed")
    ends.pinged(1)
    ends.sent("heard")
    ends.left()
    assert ends.known() == {"heard"}
    assert "missed" in ends


def test_an_end_that_is_filed_later_is_told_when_it_is_kept() -> None:
    ends = Ends()
    ends.sent("m")
    ends.written()
    assert ends.to_tell((), {"m"}) == set()
    assert ends.to_tell({"m"}, ()) == {"m"}
    assert ends.to_tell((), ()) == set()
    assert "m" not in ends


@pytest.mark.parametrize("size", [0, 1, 127, 128, 300, 20_000])
def test_encoded_events_join_to_a_frame(size: int) -> None:
    words = "x" * size
    notice = play_pb2.Notice(words=words).SerializeToString()
    pong = play_pb2.Pong(token=7).SerializeToString()
    frame = play_pb2.PlayResponse.FromString(encoded("notice", notice) + encoded("pong", pong))
    assert [event.WhichOneof("event") for event in frame.events] == ["notice", "pong"]
    assert frame.events[0].notice.words == words
    assert frame.events[1].pong.token == 7


def test_an_entry_adds_to_a_repeated_field() -> None:
    turn = play_pb2.Turn(match_id="m", legal=[game_pb2.Action(id=1)]).SerializeToString()
    more = entry(play_pb2.Turn, "legal", game_pb2.Action(id=2).SerializeToString())
    assert [action.id for action in play_pb2.Turn.FromString(turn + more).legal] == [1, 2]


def act(*actions: game_pb2.Action) -> play_pb2.Act:
    return play_pb2.Act(match_id="m", actions=actions)


def test_notation_wins_over_the_id() -> None:
    sent = act(game_pb2.Action(id=3, name="@7"))
    assert read_links(sent, ids_valid=True).actions == (action_id("@7"),)


def test_an_id_counts_only_where_both_sides_number_alike() -> None:
    sent = act(game_pb2.Action(id=3), game_pb2.Action(name="@7"))
    assert read_links(sent, ids_valid=True).actions == (3, action_id("@7"))
    assert read_links(sent, ids_valid=False).actions == (None, action_id("@7"))


@pytest.mark.parametrize(
    "action", [game_pb2.Action(id=len(ACTIONS)), game_pb2.Action(name="@16"), game_pb2.Action()]
)
def test_what_is_no_action_is_none(action: game_pb2.Action) -> None:
    links = read_links(act(game_pb2.Action(id=2), action, game_pb2.Action(id=2)), ids_valid=True)
    assert links.actions == (2, None, 2)
    assert links.known == (2,)


def test_the_digest_tells_lists_apart_and_knows_a_resend() -> None:
    lists = [
        act(),
        act(game_pb2.Action()),
        act(game_pb2.Action(id=0)),
        act(game_pb2.Action(id=1)),
        act(game_pb2.Action(id=1), game_pb2.Action(id=1)),
        act(game_pb2.Action(name="@16")),
        act(game_pb2.Action(name="@17")),
        act(game_pb2.Action(id=len(ACTIONS))),
        act(game_pb2.Action(id=len(ACTIONS) + 1)),
    ]
    digests = [read_links(sent, ids_valid=True).digest for sent in lists]
    assert len(set(digests)) == len(lists)
    assert {len(digest) for digest in digests} == {8}
    by_name = act(game_pb2.Action(name=ACTIONS[1]))
    assert read_links(by_name, ids_valid=True).digest == digests[3]


def test_too_long_a_chain_is_refused_with_words() -> None:
    read_links(act(*[game_pb2.Action(id=1)] * MAX_CHAIN), ids_valid=True)
    with pytest.raises(Invalid, match=str(MAX_CHAIN)):
        read_links(act(*[game_pb2.Action(id=1)] * (MAX_CHAIN + 1)), ids_valid=True)
