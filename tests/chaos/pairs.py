"""What must hold of the rated pairs: each counted once, and none void that should count."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence

from targi.v1 import ladder_service_pb2
from targi_server.ladder.finished import Finished
from targi_server.match.model import Culprit, Kind, Termination

__all__ = ["pair_violations"]

QUARTERS = {"1-0": (2, 0), "1/2-1/2": (1, 1), "0-1": (0, 2)}
"""Of seats 0 and 1."""
VOID = frozenset({Culprit.BOTH, Culprit.SERVER})


def pair_violations(
    matches: Collection[Finished], results: Sequence[ladder_service_pb2.PairResult]
) -> Iterator[str]:
    """All that does not hold, each with the id of its pair."""
    by_pair: defaultdict[str, dict[int, Finished]] = defaultdict(dict)
    for match in matches:
        if match.header.kind is Kind.RATED:
            by_pair[match.header.pair_id][match.header.game] = match
    counted: defaultdict[str, list[ladder_service_pb2.PairResult]] = defaultdict(list)
    for result in results:
        counted[result.pair_id].append(result)
    for pair, games in by_pair.items():
        for words in _pair(games, counted[pair]):
            yield f"pair {pair}: {words}"
    for pair in counted.keys() - by_pair.keys():
        yield f"pair {pair} is counted, but has no match"


def _pair(games: Mapping[int, Finished], results: Sequence[ladder_service_pb2.PairResult]) -> Iterator[str]:
    void = any(_is_void(game) for game in games.values())
    if len(results) != 1:
        yield f"it is counted {len(results)} times"
    elif results[0].void != void:
        yield f"it is {'' if results[0].void else 'not '}void, its games are {list(games.values())}"
    elif not void and set(games) != {1, 2}:
        yield f"it counts with the games {sorted(games)}"
    elif not void and results[0].quarters != (score := _quarters(games)):
        yield f"it counts {results[0].quarters} quarters, its games give {score}"
    if not void and any(game.verdict.termination is Termination.ABORTED for game in games.values()):
        yield "a game was aborted in a pair that is not void"


def _is_void(game: Finished) -> bool:
    return game.verdict.culprit in VOID


def _quarters(games: Mapping[int, Finished]) -> int:
    """Of seat 0 of game 1."""
    return QUARTERS[games[1].verdict.result][0] + QUARTERS[games[2].verdict.result][1]
