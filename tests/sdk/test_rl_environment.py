"""The PettingZoo environment: PettingZoo's own tests, and what they do not look at."""

from __future__ import annotations

import random

import numpy as np
import pytest
from pettingzoo.test import api_test, seed_test
from targi_engine import RULESETS, IllegalAction, UnknownRuleset, new_game
from targi_sdk.errors import UsageError
from targi_sdk.rl.environment import AGENTS, TargiEnvironment, env, raw_env

SEED = bytes(range(32))
# PettingZoo warns of every observation that is a dict with an action mask, as its own games have them.
DICTS = "ignore:(Observation is not a NumPy array|Observation space for each agent probably):UserWarning"


@pytest.mark.filterwarnings(DICTS)
@pytest.mark.parametrize("name", RULESETS)
def test_the_environment_passes_pettingzoos_tests(name: str) -> None:
    api_test(env(ruleset=name), num_cycles=60)
    api_test(raw_env(ruleset=name), num_cycles=60)
    seed_test(lambda: env(ruleset=name), num_cycles=60)


@pytest.mark.full
@pytest.mark.filterwarnings(DICTS)
@pytest.mark.parametrize("name", RULESETS)
def test_the_environment_passes_pettingzoos_tests_over_many_games(name: str) -> None:
    api_test(env(ruleset=name), num_cycles=3000)
    seed_test(lambda: env(ruleset=name), num_cycles=1000)


def play(game: TargiEnvironment, seed: int) -> list[tuple[str, float]]:
    """A game at random: agents and what they were rewarded with, in the order in which they were asked."""
    rng = random.Random(seed)
    rewards = []
    for agent in game.agent_iter():
        observation, reward, terminated, truncated, _ = game.last()
        rewards.append((agent, reward))
        legal = np.flatnonzero(observation["action_mask"])
        assert not truncated
        assert terminated == (len(legal) == 0)
        game.step(None if terminated else int(rng.choice(legal)))
    return rewards


@pytest.mark.parametrize("name", RULESETS)
def test_a_game_ends_with_the_reward_of_its_result(name: str) -> None:
    for seed in range(8):
        game = raw_env(name)
        game.reset(seed=seed)
        rewards = play(game, seed)
        assert {reward for _, reward in rewards[:-2]} == {0}
        ends = dict(rewards[-2:])
        won = {"1-0": (1, -1), "0-1": (-1, 1), "1/2-1/2": (0, 0)}[game.game.outcome().result]
        assert (ends["seat_0"], ends["seat_1"]) == won


def test_the_margin_is_a_reward_too() -> None:
    game = raw_env("base", reward="margin")
    game.reset(seed=3)
    ends = dict(play(game, 3)[-2:])
    one, other = game.game.scores()
    assert ends["seat_0"] == pytest.approx((one - other) / 40)
    assert ends["seat_0"] == -ends["seat_1"]


def test_an_agent_acts_as_long_as_it_is_asked_and_only_it_has_legal_actions() -> None:
    game = raw_env("expansion")
    game.reset(seed=1)
    rng = random.Random(1)
    for agent in game.agent_iter():
        if game.terminations[agent]:
            break
        assert agent == AGENTS[game.game.current_seat]
        masks = {each: game.observe(each)["action_mask"] for each in AGENTS}
        assert tuple(np.flatnonzero(masks.pop(agent))) == game.game.legal_actions()
        assert not next(iter(masks.values())).any()
        game.step(rng.choice(game.game.legal_actions()))


def test_a_seed_begins_a_series_of_different_deals() -> None:
    deals = []
    for _ in range(2):
        game = raw_env("base")
        game.reset(seed=5)
        first = game.game.seed
        game.reset()
        deals.append((first, game.game.seed))
    assert deals[0] == deals[1]
    assert deals[0][0] != deals[0][1]


def test_a_certain_game_can_be_dealt() -> None:
    game = raw_env("mixed", "easy_start=yes")
    game.reset(options={"seed": SEED, "opening": SEED[::-1]})
    dealt = new_game("mixed", SEED, SEED[::-1], variants="easy_start=yes")
    assert game.game.observation(0) == dealt.observation(0)


def test_an_illegal_action_raises_or_with_guards_loses() -> None:
    game = raw_env("base")
    game.reset(seed=1)
    with pytest.raises(IllegalAction):
        game.step(51)
    assert game.game.ply == 0
    guarded = env(ruleset="base")
    guarded.reset(seed=1)
    agent = guarded.agent_selection
    guarded.step(51)
    assert guarded.terminations[agent]
    assert guarded.rewards[agent] == -1


def test_the_board_can_be_rendered_as_text() -> None:
    game = raw_env("expansion", render_mode="ansi")
    game.reset(seed=1)
    text = game.render()
    assert text is not None
    assert "Round 1" in text
    assert "ROBBER" in text
    assert "\x1b" not in text
    plain = raw_env("base")
    plain.reset(seed=1)
    assert plain.render() is None


def test_what_does_not_exist_is_refused_in_words() -> None:
    with pytest.raises(UnknownRuleset, match="chess"):
        raw_env("chess")
    with pytest.raises(UsageError, match="no reward is called 'gold'; there are result, margin"):
        raw_env(reward="gold")
    with pytest.raises(UsageError, match="no render mode is called 'human'"):
        raw_env(render_mode="human")
