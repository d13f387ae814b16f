"""Random games of the engine, compiled and pure, beside OpenSpiel's C++ backgammon driven from Python.

`make bench` prepares what it needs: the compiled engine in .venv, OpenSpiel in .venv-bench. After that it
runs alone, too: `.venv/bin/python tests/bench/playouts.py [rounds]`.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from pace import Pace, Side

ROOT = Path(__file__).resolve().parents[2]
ROUNDS = 9
SLICE_S = 0.25
YARDSTICK = "games:backgammon"
RULESETS = ("base", "expansion", "mixed")

LEGEND = """\
Processor time, {slice_s} s a turn for each line in turn; medians of {rounds} rounds, ratios within a round
(lowest to highest). A decision is a choice of a player. Chance nodes (the dice of backgammon) are played and
their time counts, but they are no decisions; only the last column divides by all nodes of backgammon.
The chance of Targi is the deal, whose time counts in each of its games."""

LINE = "{:32s}  {:>11s}  {:>6s}  {:>5s}  {:>12s} {:16s}  {:9s}  {:>11s}"
HEAD = LINE.format("random games", "decisions/s", "a game", "legal", "x backgammon", "", "aim", "x all nodes")


@dataclass(frozen=True)
class Row:
    """One line of a table: who does what; `aim` is the ratio to backgammon to be reached, 0 for none."""

    words: str
    side: str
    task: str
    aim: float = 0.0


GAMES = (
    Row("backgammon, OpenSpiel", "spiel", YARDSTICK),
    Row("gin rummy, OpenSpiel", "spiel", "games:gin_rummy"),
    *(Row(f"{ruleset}, compiled", "compiled", f"games:{ruleset}", 4.0) for ruleset in RULESETS),
    *(Row(f"{ruleset}, pure", "pure", f"games:{ruleset}", 2.0) for ruleset in RULESETS),
    *(Row(f"{ruleset}, compiled, playout()", "compiled", f"playout:{ruleset}", 6.0) for ruleset in RULESETS),
    *(Row(f"{ruleset}, pure, playout()", "pure", f"playout:{ruleset}") for ruleset in RULESETS),
)
CLONES = (
    Row("backgammon, OpenSpiel", "spiel", "clone:backgammon"),
    Row("gin rummy, OpenSpiel", "spiel", "clone:gin_rummy"),
    *(Row(f"{ruleset}, compiled (aim: under 1 us)", "compiled", f"clone:{ruleset}") for ruleset in RULESETS),
    *(Row(f"{ruleset}, pure", "pure", f"clone:{ruleset}") for ruleset in RULESETS),
)

Paces = dict[Row, list[Pace]]


def sides(stack: ExitStack) -> dict[str, Side]:
    """The three processes; each says itself what it is."""
    scripts = {
        "spiel": (ROOT / ".venv-bench" / "bin" / "python", "pace_spiel.py", {}),
        "compiled": (ROOT / ".venv" / "bin" / "python", "pace_targi.py", {}),
        "pure": (Path(sys.executable), "pace_targi.py", {"PYTHONPATH": str(ROOT / "engine")}),
    }
    found: dict[str, Side] = {}
    for name, (python, script, settings) in scripts.items():
        if not python.exists():
            raise SystemExit(f"there is no {python.relative_to(ROOT)}: run `make bench`, which makes it")
        found[name] = stack.enter_context(Side(python, script, **settings))
    for form in ("compiled", "pure"):
        if found[form].form != form:
            raise SystemExit(f"the engine that should be {form} is {found[form].form}: see `targi version`")
    return found


def measured(rounds: int) -> Paces:
    """Every row once a round."""
    rows = GAMES + CLONES
    with ExitStack() as stack:
        found = sides(stack)
        for row in rows:  # warm up: imports, tables, the processor's clock
            found[row.side].measure(row.task, SLICE_S / 10)
        turns = [[found[row.side].measure(row.task, SLICE_S) for row in rows] for _ in range(rounds)]
    return {row: [turn[place] for turn in turns] for place, row in enumerate(rows)}


def ratios(paces: list[Pace], yardstick: list[Pace], rate: Callable[[Pace], float]) -> list[float]:
    """Decisions a second over a rate of the yardstick, round by round."""
    return [mine.decisions_a_second / rate(other) for mine, other in zip(paces, yardstick, strict=True)]


def game_cells(row: Row, paces: Paces) -> tuple[str, ...]:
    """Speed, length, branching, ratio, verdict, ratio to all nodes."""
    mine, yardstick = paces[row], paces[GAMES[0]]
    ratio = ratios(mine, yardstick, lambda pace: pace.decisions_a_second)
    last = mine[-1]
    return (
        row.words,
        f"{median(pace.decisions_a_second for pace in mine):,.0f}",
        f"{last.decisions / last.games:.0f}",
        f"{last.branches / last.decisions:.1f}" if last.branches else "",
        f"{median(ratio):.1f}",
        f"({min(ratio):.1f} to {max(ratio):.1f})",
        f"{row.aim:.0f}x {'met' if median(ratio) >= row.aim else 'missed'}" if row.aim else "",
        f"{median(ratios(mine, yardstick, lambda pace: pace.nodes_a_second)):.1f}",
    )


def bench(rounds: int = ROUNDS) -> Iterator[str]:
    """Lines of the report."""
    yield LEGEND.format(slice_s=SLICE_S, rounds=rounds)
    yield ""
    paces = measured(rounds)
    yield HEAD
    yield from (LINE.format(*game_cells(row, paces)) for row in GAMES)
    yield ""
    yield f"{'clone()':40s}  microseconds"
    for row in CLONES:
        yield f"{row.words:40s}  {median(1e6 / pace.decisions_a_second for pace in paces[row]):12.2f}"


if __name__ == "__main__":
    for line in bench(*map(int, sys.argv[1:])):
        print(line, flush=True)
