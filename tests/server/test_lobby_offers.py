"""Offers: from two reserved places to running matches or to nothing, whatever crashes in between."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator

import pytest
from lobby_floor import Floor, floor, nonce, offered, until
from targi_server import fairness
from targi_server.errors import BadNonce, NotAvailable, UnknownOffer
from targi_server.lobby.offer import Offer, OfferState
from targi_server.match.model import Kind, MatchHeader
from targi_server.store.keys import bot_keys, lobby_keys
from targi_server.store.replies import texts


@pytest.fixture
async def here(redis_url: str) -> AsyncIterator[Floor]:
    async with floor(redis_url) as made:
        yield made


async def header(here: Floor, match_id: str) -> MatchHeader:
    match = await here.store.matches.load(match_id)
    assert match is not None
    return match.header


async def lapsed(here: Floor, offer: Offer) -> list[list[object]]:
    """What was published of offers of that bucket."""
    key = lobby_keys(offer.offer_id).lapsed
    return [json.loads(row) for row in texts(await here.store.commands.command("ZRANGE", key, 0, -1))]


async def faults(here: Floor, bot: str) -> int:
    return len(texts(await here.store.commands.command("ZRANGE", bot_keys(bot).faults, 0, -1)))


async def used(here: Floor) -> dict[str, int]:
    held = await here.lobby.slots.held(["alba", "bora"])
    return {bot: places.used for bot, places in held.items()}


async def test_an_offer_reserves_a_place_with_both_and_tells_them(here: Floor) -> None:
    offer = await here.offer(await here.arrive("alba"), await here.arrive("bora"))
    assert offer.state is OfferState.OPEN
    assert offer.answer_within_ms == 10_000
    assert len(set(offer.match_ids)) == 2
    assert await used(here) == {"alba": 1, "bora": 1}
    await until(lambda: here.said("offer") == ["alba", "bora"])


async def test_an_offer_shows_commitments_and_no_secrets(here: Floor) -> None:
    made = await here.offer(await here.arrive("alba"), await here.arrive("bora"))
    offer = await here.lobby.offers.load(made.offer_id)
    assert offer is not None
    assert len(offer.commitments) == 3
    assert offer.opening_secret == b""
    assert offer.game_secrets == ()
    assert offer.secrets.opening.hex() not in repr(offer)


async def test_a_bot_without_a_free_place_makes_the_other_free_again(here: Floor) -> None:
    alba = await here.arrive("alba")
    with pytest.raises(NotAvailable):
        await here.lobby.offers.make(offered(Kind.RATED), ("alba", "bora"), ("alba-owner", "bora-owner"))
    assert await used(here) == {"alba": 0, "bora": 0}
    await here.offer(alba, await here.arrive("bora"))


async def test_both_ready_starts_game_1_with_derived_seeds(here: Floor) -> None:
    alba, bora = await here.arrive("alba", version="7"), await here.arrive("bora", version="9")
    offer = await here.offer(alba, bora)
    first = await here.lobby.offers.ready(offer.offer_id, bora, nonce("b"))
    assert first is OfferState.OPEN
    assert await here.store.matches.load(offer.match_ids[0]) is None
    assert await here.lobby.offers.ready(offer.offer_id, alba, nonce("a")) is OfferState.AGREED
    game = await header(here, offer.match_ids[0])
    drawn, nonces = offer.secrets, (nonce("a"), nonce("b"))
    assert game.seed == fairness.game_seed(1, drawn.games[0], *nonces)
    assert game.opening == fairness.opening_seed(drawn.opening, *nonces)
    assert [(seat.bot, seat.version) for seat in game.seats] == [("alba", "7"), ("bora", "9")]
    assert (game.pair_id, game.game, game.next_match_id) == (offer.offer_id, 1, offer.match_ids[1])
    assert await here.state(offer.offer_id) == "started"
    await until(lambda: here.said("match") == ["alba", "bora"])


async def test_the_header_of_game_1_has_no_secret_of_game_2(here: Floor) -> None:
    offer = await here.agree(await here.arrive("alba"), await here.arrive("bora"))
    game = await header(here, offer.match_ids[0])
    assert game.secrets is not None
    assert game.secrets.game_secrets == offer.secrets.games[:1]
    seed_2 = fairness.game_seed(2, offer.secrets.games[1], nonce("alba"), nonce("bora"))
    packed = game.encode() + MatchHeader.decode(game.encode()).seed
    assert offer.secrets.games[1] not in packed
    assert seed_2 not in packed


async def test_game_2_starts_on_the_same_places_with_seats_swapped(here: Floor) -> None:
    alba, bora = await here.arrive("alba", version="7"), await here.arrive("bora")
    offer = await here.agree(alba, bora)
    await here.arrive("alba", session="a-takeover-session", version="8")
    await here.end(offer.match_ids[0], "1-0")
    await here.ladder.filing.file_all()
    game = await header(here, offer.match_ids[1])
    assert [(seat.bot, seat.version) for seat in game.seats] == [("bora", "1"), ("alba", "7")]
    assert game.opening == fairness.opening_seed(offer.secrets.opening, nonce("alba"), nonce("bora"))
    assert game.seed == fairness.game_seed(2, offer.secrets.games[1], nonce("alba"), nonce("bora"))
    assert (game.game, game.next_match_id) == (2, "")
    assert await used(here) == {"alba": 1, "bora": 1}


async def test_the_end_of_game_2_frees_both_places(here: Floor) -> None:
    offer = await here.agree(await here.arrive("alba"), await here.arrive("bora"))
    for match_id in offer.match_ids:
        await here.end(match_id, "0-1")
        await here.ladder.filing.file_all()
    assert await used(here) == {"alba": 0, "bora": 0}
    assert await here.state(offer.offer_id) == "over"
    assert await lapsed(here, offer) == []


async def test_after_a_game_1_without_contest_game_2_never_starts(here: Floor) -> None:
    offer = await here.agree(await here.arrive("alba"), await here.arrive("bora"))
    await here.end(offer.match_ids[0], "*")
    await here.ladder.filing.file_all()
    assert await here.store.matches.load(offer.match_ids[1]) is None
    assert await used(here) == {"alba": 0, "bora": 0}
    (published,) = await lapsed(here, offer)
    assert published[0] == offer.offer_id
    assert published[2] == [secret.hex() for secret in (offer.secrets.opening, *offer.secrets.games)]


async def test_a_single_game_has_the_id_of_its_offer(here: Floor) -> None:
    offer = await here.agree(
        await here.arrive("alba"), await here.arrive("bora", ladder=False), kind=Kind.SINGLE
    )
    game = await header(here, offer.offer_id)
    assert (game.pair_id, game.next_match_id, len(offer.commitments)) == ("", "", 2)
    await here.end(offer.offer_id, "1/2-1/2")
    await here.ladder.filing.file_all()
    assert await used(here) == {"alba": 0, "bora": 0}


async def test_a_ready_may_be_repeated_with_its_nonce_only(here: Floor) -> None:
    alba = await here.arrive("alba")
    offer = await here.offer(alba, await here.arrive("bora"))
    for _ in range(2):
        assert await here.lobby.offers.ready(offer.offer_id, alba, nonce("a")) is OfferState.OPEN
    with pytest.raises(BadNonce):
        await here.lobby.offers.ready(offer.offer_id, alba, nonce("other"))


async def test_a_nonce_of_another_length_is_not_ready(here: Floor) -> None:
    alba = await here.arrive("alba")
    offer = await here.offer(alba, await here.arrive("bora"))
    with pytest.raises(BadNonce, match="31"):
        await here.lobby.offers.ready(offer.offer_id, alba, bytes(31))


async def test_a_nonce_off_the_chain_is_not_ready(here: Floor) -> None:
    alba = await here.arrive("alba", chain_head=fairness.commitment(nonce("next")))
    bora = await here.arrive("bora")
    offer = await here.offer(alba, bora)
    await here.lobby.offers.ready(offer.offer_id, bora, nonce("b"))
    with pytest.raises(BadNonce):
        await here.lobby.offers.ready(offer.offer_id, alba, nonce("wrong"))
    assert await here.lobby.offers.ready(offer.offer_id, alba, nonce("next")) is OfferState.AGREED
    game = await header(here, offer.match_ids[0])
    assert game.secrets is not None
    assert game.secrets.chained == (True, False)


async def test_a_chain_announced_after_the_offer_is_not_called_bound(here: Floor) -> None:
    bora = await here.arrive("bora")
    offer = await here.offer(await here.arrive("alba"), bora)
    await here.pass_ms(1_000)
    late = await here.arrive("alba", chain_head=fairness.commitment(nonce("late")))
    await here.lobby.offers.ready(offer.offer_id, late, nonce("late"))
    await here.lobby.offers.ready(offer.offer_id, bora, nonce("b"))
    game = await header(here, offer.match_ids[0])
    assert game.secrets is not None
    assert game.secrets.chained == (False, False)


async def test_an_offer_is_unknown_to_a_third_bot(here: Floor) -> None:
    offer = await here.offer(await here.arrive("alba"), await here.arrive("bora"))
    cleo = await here.arrive("cleo")
    with pytest.raises(UnknownOffer):
        await here.lobby.offers.ready(offer.offer_id, cleo, nonce("c"))
    with pytest.raises(UnknownOffer):
        await here.lobby.offers.decline("0000000000000000", "cleo", "")


async def test_who_is_not_ready_in_time_is_at_fault(here: Floor) -> None:
    alba, bora = await here.arrive("alba"), await here.arrive("bora")
    made = await here.offer(alba, bora)
    await here.lobby.offers.ready(made.offer_id, alba, nonce("a"))
    await here.pass_ms(10_000)
    await here.lobby.offers.sweep()
    assert await here.state(made.offer_id) == "open"
    await here.pass_ms(1)
    await here.lobby.offers.sweep()
    offer = await here.lobby.offers.load(made.offer_id)
    assert offer is not None
    assert offer.state is OfferState.LAPSED
    assert offer.at_fault == (False, True)
    assert (await faults(here, "alba"), await faults(here, "bora")) == (0, 1)
    assert await used(here) == {"alba": 0, "bora": 0}
    await until(lambda: here.said("lapsed") == ["alba", "bora"])
    with pytest.raises(UnknownOffer):
        await here.lobby.offers.ready(made.offer_id, bora, nonce("b"))


async def test_a_ready_that_comes_too_late_is_refused_before_the_sweep(here: Floor) -> None:
    alba = await here.arrive("alba")
    offer = await here.offer(alba, await here.arrive("bora"))
    await here.pass_ms(10_001)
    with pytest.raises(UnknownOffer):
        await here.lobby.offers.ready(offer.offer_id, alba, nonce("a"))


async def test_a_decline_lapses_the_offer_at_once_and_publishes_its_secrets(here: Floor) -> None:
    alba, bora = await here.arrive("alba"), await here.arrive("bora")
    made = await here.offer(alba, bora)
    await here.lobby.offers.ready(made.offer_id, alba, nonce("a"))
    await here.lobby.offers.decline(made.offer_id, "bora", "no time")
    offer = await here.lobby.offers.load(made.offer_id)
    assert offer is not None
    assert offer.at_fault == (False, True)
    assert offer.opening_secret == made.secrets.opening
    assert offer.game_secrets == made.secrets.games
    assert await used(here) == {"alba": 0, "bora": 0}
    (published,) = await lapsed(here, made)
    assert published[3] == [nonce("a").hex(), ""]


async def test_declining_twice_is_one_fault_and_one_publication(here: Floor) -> None:
    offer = await here.offer(await here.arrive("alba"), await here.arrive("bora"))
    for _ in range(2):
        await here.lobby.offers.decline(offer.offer_id, "bora", "")
    assert await faults(here, "bora") == 1
    assert len(await lapsed(here, offer)) == 1


async def test_declining_an_unrated_match_is_no_fault(here: Floor) -> None:
    offer = await here.offer(
        await here.arrive("alba"), await here.arrive("bora", ladder=False), kind=Kind.SINGLE
    )
    await here.lobby.offers.decline(offer.offer_id, "bora", "")
    assert await faults(here, "bora") == 0


async def test_a_match_that_both_took_cannot_be_declined(here: Floor) -> None:
    offer = await here.agree(await here.arrive("alba"), await here.arrive("bora"))
    with pytest.raises(UnknownOffer):
        await here.lobby.offers.decline(offer.offer_id, "bora", "")
