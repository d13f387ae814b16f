"""Filing: the record of a match, what is kept of it, and what follows."""

from __future__ import annotations

import zlib
from collections.abc import AsyncIterator

import pytest
from lobby_floor import START_MS, Floor, floor, nonce
from targi_engine import Record, verify
from targi_server import fairness
from targi_server.ladder.finished import Finished
from targi_server.lobby.offer import Offer
from targi_server.match.model import Culprit, Kind, Termination, Verdict
from targi_server.store.answers import Append


@pytest.fixture
async def here(redis_url: str) -> AsyncIterator[Floor]:
    async with floor(redis_url) as made:
        yield made


async def pair(here: Floor, kind: Kind = Kind.RATED) -> Offer:
    head, rated = fairness.commitment(nonce("alba")), kind is Kind.RATED
    alba = await here.arrive("alba", version="1.0 beta", chain_head=head, ladder=rated)
    return await here.agree(alba, await here.arrive("bora", ladder=rated), kind=kind)


async def filed(here: Floor, match_id: str) -> Finished:
    await here.ladder.filing.file_all()
    found = await here.ladder.archive.get(match_id)
    assert found is not None
    return found


async def test_a_match_that_was_played_out_becomes_a_record_that_verifies(here: Floor) -> None:
    offer = await pair(here)
    await here.play(offer.match_ids[0])
    kept = await filed(here, offer.match_ids[0])
    record = Record.parse(kept.record)
    checked = verify(record)
    assert checked.over
    assert record.termination == "normal"
    assert checked.outcome.scores == kept.verdict.scores
    assert checked.plies == len(kept.entries)


async def test_a_record_says_who_played_when_and_what_the_deal_follows_from(here: Floor) -> None:
    offer = await pair(here)
    await here.play(offer.match_ids[0], plies=5, each_ms=1_250)
    await here.end(offer.match_ids[0], "0-1")
    kept = await filed(here, offer.match_ids[0])
    record = Record.parse(kept.record)
    verify(record)
    tags, drawn = record.tags, offer.secrets
    assert (tags["Match"], tags["Pair"], tags["Game"]) == (offer.match_ids[0], offer.offer_id, "1")
    assert (tags["Seat0"], tags["Seat1"], tags["Rated"]) == ("alba 1.0 beta", "bora 1", "yes")
    assert (tags["Date"], tags["TimeControl"]) == ("2027-01-15T08:00:00.000+00:00", "60+1")
    assert (tags["Result"], tags["Termination"], tags["Culprit"]) == ("0-1", "resigned", "0")
    assert tags["Commitment0"] == fairness.commitment(drawn.opening).hex()
    assert [tags[f"Secret{n}"] for n in (0, 1)] == [drawn.opening.hex(), drawn.games[0].hex()]
    assert (tags["NonceA"], tags["NonceChainA"]) == (nonce("alba").hex(), "yes")
    assert (tags["NonceB"], tags["NonceChainB"]) == (nonce("bora").hex(), "no")
    assert tags["SeedCommitment"] == fairness.commitment(record.seed).hex()
    nonces = bytes.fromhex(tags["NonceA"]), bytes.fromhex(tags["NonceB"])
    assert record.seed == fairness.game_seed(1, bytes.fromhex(tags["Secret1"]), *nonces)
    assert record.opening == fairness.opening_seed(bytes.fromhex(tags["Secret0"]), *nonces)


async def test_a_record_has_the_seconds_that_each_answer_was_charged(here: Floor) -> None:
    offer = await pair(here)
    await here.play(offer.match_ids[0], plies=4, each_ms=400)
    await here.end(offer.match_ids[0], "0-1")
    kept = await filed(here, offer.match_ids[0])
    charged = [entry.charged_ms for entry in kept.entries]
    assert [comment for _, comment in Record.parse(kept.record).actions] == [
        f"{ms / 1000:.3f}" for ms in charged
    ]
    assert all(300 <= ms <= 400 for ms in charged)


async def test_nothing_that_is_kept_of_game_1_tells_of_game_2(here: Floor) -> None:
    offer = await pair(here)
    await here.end(offer.match_ids[0], "1-0")
    kept = await filed(here, offer.match_ids[0])
    seed_2 = fairness.game_seed(2, offer.secrets.games[1], nonce("alba"), nonce("bora"))
    packed = zlib.decompress(kept.encode())
    assert kept.header.seed in packed
    for secret in (offer.secrets.games[1], seed_2):
        assert secret not in packed
        assert secret.hex() not in kept.record
    assert kept.header.secrets is not None
    assert offer.secrets.games[1] not in kept.header.secrets.game_secrets


async def test_the_record_of_game_2_publishes_the_rest(here: Floor) -> None:
    offer = await pair(here)
    for match_id in offer.match_ids:
        await here.end(match_id, "1-0")
        kept = await filed(here, match_id)
    tags = Record.parse(kept.record).tags
    assert (tags["Game"], tags["Seat0"]) == ("2", "bora 1")
    assert tags["Secret2"] == offer.secrets.games[1].hex()
    assert [bytes.fromhex(tags[f"Commitment{n}"]) for n in range(3)] == list(offer.commitments)


async def test_what_is_kept_survives_its_encoding(here: Floor) -> None:
    offer = await pair(here)
    await here.play(offer.match_ids[0], plies=9)
    await here.end(offer.match_ids[0], "1-0")
    kept = await filed(here, offer.match_ids[0])
    assert Finished.decode(kept.encode()) == kept
    with pytest.raises(ValueError, match="no finished match"):
        Finished.decode(b"something else")


async def test_words_of_a_failed_bot_are_not_in_its_record(here: Floor) -> None:
    offer = await pair(here)
    verdict = Verdict("0-1", Termination.BOT_ERROR, Culprit.SEAT0, "my private traceback")
    await here.store.matches.end(offer.match_ids[0], verdict)
    kept = await filed(here, offer.match_ids[0])
    assert "private" not in kept.record
    assert kept.verdict.words == "my private traceback"


async def test_a_log_that_does_not_replay_is_the_servers_fault_and_voids_the_pair(here: Floor) -> None:
    offer = await pair(here)
    answer = Append(offer.match_ids[0], 0, 0, (4_000,), b"8 bytes.", 1, 0, 0, True, 1)
    await here.store.matches.append(answer)
    await here.end(offer.match_ids[0], "1-0")
    kept = await filed(here, offer.match_ids[0])
    assert (kept.verdict.result, kept.verdict.termination) == ("*", Termination.SERVER_ERROR)
    assert (kept.verdict.culprit, kept.record) == (Culprit.SERVER, "")
    assert await here.store.matches.load(offer.match_ids[1]) is None
    (result,) = (await here.ladder.results.page(["base"], 5)).results
    assert result.void


async def test_unrated_matches_are_filed_and_not_counted(here: Floor) -> None:
    offer = await pair(here, Kind.MIRRORED)
    for match_id in offer.match_ids:
        await here.end(match_id, "1-0")
        assert Record.parse((await filed(here, match_id)).record).tags["Rated"] == "no"
    assert (await here.ladder.results.counted("base")).matches == 0


async def test_filed_matches_are_listed_by_their_end_for_all_and_for_each_bot(here: Floor) -> None:
    ended: list[str] = []
    for opponent in ("bora", "cleo", "dido"):
        claims = await here.arrive("alba", ladder=False), await here.arrive(opponent, ladder=False)
        offer = await here.agree(*claims, kind=Kind.SINGLE)
        await here.pass_ms(1_000)
        await here.end(offer.offer_id, "1-0")
        await here.ladder.filing.file_all()
        ended.insert(0, offer.offer_id)
    archive = here.ladder.archive
    first, token = await archive.newest(2)
    assert first == ended[:2]
    assert await archive.newest(2, token=token) == (ended[2:], "")
    assert await archive.newest(5, bot="cleo") == ([ended[1]], "")
    assert (await archive.newest(5, bot="alba"))[0] == ended


async def test_filing_twice_is_filing_once(here: Floor) -> None:
    offer = await pair(here)
    await here.end(offer.match_ids[0], "1-0")
    assert await here.ladder.filing.file_all() == 1
    assert await here.ladder.filing.file_all() == 0
    assert not await here.ladder.filing.file(offer.match_ids[0])
    assert (await filed(here, offer.match_ids[0])).verdict.at_ms >= START_MS
