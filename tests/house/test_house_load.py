"""The load tool counts, plans and blames as it says; its runs are `make bench`."""

import json
import random
import subprocess
import sys
from pathlib import Path

import pytest
from load.errors import BadPlan
from load.exposition import buckets, by_worker, total
from load.pacing import Planned, ThinkTime
from load.plan import ClientPlan, Pacing, Plan
from load.spread import Spread
from load.tally import Seen, Tally, together
from load.thoughts import Echoes, Game, Thought, differences, loss
from load.venue import own
from wheel_builds import ROOT

METRICS = """\
targi_actions_total{ruleset="base"} 3
targi_actions_total{ruleset="mixed"} 4
targi_streams{worker="0"} 2
targi_streams{worker="1"} 5
targi_turn_seconds_bucket{le="0.01"} 10
targi_turn_seconds_bucket{le="0.02"} 30
targi_turn_seconds_bucket{le="+Inf"} 40
"""


def thinking(own_ms: float, left_ms: float) -> Game:
    """A game whose last answer was written after so long."""
    game = Game("match", 0, 1, 300, 60)
    game.thoughts[4] = Thought(left_ms, 5, came=10.0, written=10.0 + own_ms / 1000)
    return game


def test_quantiles_of_a_spread_are_exact_to_a_tenth_and_survive_json() -> None:
    spread = Spread()
    for value in range(1, 101):
        spread.add(value / 10)
    spread = Spread.decode(spread.encode())
    assert [spread.quantile(share) for share in (0.5, 0.99, 1.0)] == [5.0, 9.9, 10.0]
    assert (spread.count, spread.largest, spread.over(9.8)) == (100, 10.0, 2)
    assert Spread().quantile(0.5) == 0.0


def test_figures_are_read_from_the_exposition() -> None:
    assert total(METRICS, "targi_actions_total") == 7
    assert by_worker(METRICS, "targi_streams") == {"0": 2.0, "1": 5.0}
    turns = buckets(METRICS, "targi_turn_seconds")
    assert turns.quantile(0.5) == pytest.approx(0.015)
    assert turns.quantile(0.99) == 0.02
    assert turns.since(turns).count == 0


def test_both_bots_of_a_match_plan_the_same_answers() -> None:
    one, other = Planned(rate=10.0), Planned(rate=10.0)
    for plans in (one, other):
        plans.started("match", 0, 100.0)
    planned = [one.due("match", ply, 100.0) for ply in range(50)]
    assert [other.due("match", ply, 500.0) for ply in range(1, 50, 2)] == planned[1::2]
    assert planned == sorted(planned) and 2.0 < planned[-1] - 100.0 < 12.0


def test_a_closed_loop_counts_its_think_time_from_the_question() -> None:
    assert ThinkTime(20.0, "fixed", random.Random(1)).due("match", 3, 7.0) == 7.02
    assert ThinkTime(0.0, "exponential", random.Random(1)).due("match", 3, 7.0) == 7.0


def test_figures_of_processes_are_added_up_and_only_of_the_window() -> None:
    tally = Tally()
    tally.acknowledged(1, 5.0)
    tally.begin()
    tally.acknowledged(2, 7.0)
    tally.ended("normal")
    tally.end()
    tally.acknowledged(1, 9.0)
    whole = together([Seen.decode(tally.seen.encode())] * 2)
    assert (whole.actions, whole.latency.count, whole.latency.largest) == (4, 2, 7.0)
    assert whole.ended == {"normal": 2}


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"matches": 7, "bots": 4}, "14 seats"),
        ({"bots": 1}, "needs two"),
        ({"processes": 3}, "--processes"),
        ({"ruleset": "chess"}, "base"),
        ({"seconds": 0.0}, "--seconds"),
    ],
)
def test_a_run_that_cannot_be_says_what_to_change(fields: dict[str, object], words: str) -> None:
    with pytest.raises(BadPlan, match=words):
        Plan(**fields)  # type: ignore[arg-type]


def test_an_open_loop_has_no_think_time() -> None:
    with pytest.raises(BadPlan, match="--rate"):
        Pacing(think_ms=5.0, rate=100.0)


def test_a_client_process_gets_its_plan_in_one_line() -> None:
    plan = ClientPlan("idle", "host:1", ("one", "two"), 3)
    assert "\n" not in plan.encode()
    assert ClientPlan.decode(plan.encode()) == plan


def load(*arguments: str) -> subprocess.CompletedProcess[str]:
    """The command."""
    command = [sys.executable, str(ROOT / "tests/bench/load"), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_a_run_against_a_server_that_runs_measures_while_all_matches_run(tmp_path: Path) -> None:
    tokens = tmp_path / "tokens"
    with own(4, 5, capacity=64) as venue:
        assert venue.server is not None
        tokens.write_text("\n".join(venue.tokens))
        done = load(
            *("--server", venue.address, "--tokens-file", str(tokens), "--json"),
            *("--metrics", f"http://127.0.0.1:{venue.server.http_port}/metrics"),
            *("--matches", "6", "--bots", "4", "--idle", "5", "--think-ms", "100", "--seconds", "1"),
        )
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["running_mean"] > 5 and found["running_min"] >= 1
    assert found["actions_a_second"] > 0 and found["server_ms"]["count"] > 0
    assert found["streams"] == {"0": 9.0} and found["refused"] == {}


def test_a_file_with_too_few_tokens_is_refused_in_words(tmp_path: Path) -> None:
    tokens = tmp_path / "tokens"
    tokens.write_text("one\n")
    done = load("--server", "127.0.0.1:1", "--tokens-file", str(tokens))
    assert done.returncode == 2 and "1 tokens" in done.stderr


def test_the_command_refuses_in_words_before_it_starts_anything() -> None:
    done = load("--loop", "open")
    assert (done.returncode, done.stdout) == (2, "")
    assert "--rate" in done.stderr


def test_a_loss_inside_the_own_clock_is_wrongful_and_any_other_is_not() -> None:
    assert loss(thinking(own_ms=40.0, left_ms=41.0), 11.0, Echoes()).wrongful
    assert not loss(thinking(own_ms=41.0, left_ms=40.0), 11.0, Echoes()).wrongful
    assert loss(Game("match", 0, 1, 300, 60), 11.0, Echoes()).wrongful


def test_a_bots_account_takes_its_own_measure_and_the_increment_of_an_ended_turn() -> None:
    game = thinking(own_ms=40.0, left_ms=100.0)
    game.account(4, charged_ms=3, clock_ms=2, now=11.0)
    assert game.left_ms == pytest.approx(60.0)
    game.account(4, charged_ms=3, clock_ms=62, now=11.0)
    assert game.left_ms == pytest.approx(120.0)


def test_a_difference_is_explained_by_pings_of_the_same_time_only() -> None:
    echoes = Echoes()
    for left, back in ((1.0, 1.9), (9.99, 10.0), (10.05, 10.08)):
        echoes.left(left)
        echoes.came(back)
    (found,) = differences(thinking(own_ms=50.0, left_ms=100.0), [(3, 7), (4, 90)], echoes)
    assert found.ms == pytest.approx(40.0)
    assert found.came_echo_ms == pytest.approx(10.0)
    assert found.written_echo_ms == pytest.approx(30.0)
    assert found.unexplained_ms == pytest.approx(0.0)
