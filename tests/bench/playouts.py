"""Random playouts from Python: decisions a second of the installed engine."""

import random
import time
from collections.abc import Iterator

from targi_engine import new_game


def playouts(ruleset: str, seconds: float) -> tuple[int, int, int]:
    """Plays random games for some seconds; returns games, decisions and the sum of legal actions."""
    rng = random.Random(1)
    games = decisions = branches = 0
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        state = new_game(ruleset, rng.randbytes(32))
        while not state.is_over:
            legal = state.legal_actions()
            decisions += 1
            branches += len(legal)
            state.apply(legal[int(rng.random() * len(legal))])
        games += 1
    return games, decisions, branches


def bench(seconds: float = 5.0, rulesets: tuple[str, ...] = ("base",)) -> Iterator[str]:
    """Lines of the report."""
    yield "ruleset    decisions/s  decisions/game  branching"
    for ruleset in rulesets:
        games, decisions, branches = playouts(ruleset, seconds)
        rate, length, branching = decisions / seconds, decisions / games, branches / decisions
        yield f"{ruleset:9s}  {rate:11.0f}  {length:14.1f}  {branching:9.2f}"


if __name__ == "__main__":
    for line in bench():
        print(line, flush=True)
