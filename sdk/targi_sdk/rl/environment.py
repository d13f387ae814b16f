"""Targi as a PettingZoo environment (AEC): two agents that act in turn. The only home of PettingZoo.

from targi_sdk.rl.environment import env
game = env(ruleset="mixed")
game.reset(seed=7)
for agent in game.agent_iter():
    observation, reward, terminated, truncated, info = game.last()
    over = terminated or truncated
    game.step(None if over else game.action_space(agent).sample(observation["action_mask"]))
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

import numpy as np
from gymnasium.spaces import Box, Dict, Discrete
from numpy.typing import NDArray
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers
from rich.console import Console
from targi_engine import ACTIONS, Outcome, Ruleset, State, new_game
from targi_engine import ruleset as named_ruleset
from targi_engine.randomness import SEED_BYTES

from targi_sdk.errors import UsageError
from targi_sdk.rl.layout import layout_of
from targi_sdk.rl.tensors import HIGH, action_mask, encode
from targi_sdk.terminal.board import board

__all__ = ["AGENTS", "REWARDS", "TargiEnvironment", "env", "raw_env"]

AGENTS = ("seat_0", "seat_1")
RENDER_MODES = ("ansi",)
BOARD_WIDTH = 120
MARGIN_SCALE = 40
"""A lead of so many points is worth as much as a victory in the reward `margin`."""

ObservationDict: TypeAlias = dict[str, NDArray[Any]]
Pair: TypeAlias = tuple[float, float]


def _won(outcome: Outcome) -> Pair:
    return {"1-0": (1.0, -1.0), "0-1": (-1.0, 1.0)}.get(outcome.result, (0.0, 0.0))


def _margin(outcome: Outcome) -> Pair:
    lead = (outcome.scores[0] - outcome.scores[1]) / MARGIN_SCALE
    return lead, -lead


REWARDS: Mapping[str, Callable[[Outcome], Pair]] = {"result": _won, "margin": _margin}
"""What the agents get when the game is over, by name; before that they get 0."""


def env(**options: Any) -> AECEnv:  # Any: the options of `raw_env`
    """The environment with PettingZoo's guards: who acts illegally loses; calls out of order are refused."""
    guarded = wrappers.TerminateIllegalWrapper(raw_env(**options), illegal_reward=-1)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(guarded))


def raw_env(
    ruleset: str | Ruleset = "base",
    variants: str = "",
    *,
    reward: str = "result",
    render_mode: str | None = None,
) -> TargiEnvironment:
    """The environment without guards: an illegal action raises `IllegalAction` and changes nothing.

    `ruleset` is a name, with `variants` in record notation, or a ruleset with cards of one's own. `reward` is
    one of `REWARDS`. Raises `UnknownRuleset`, `UnknownVariant`, and `UsageError` for another reward or render
    mode.
    """
    rules = named_ruleset(ruleset, variants) if isinstance(ruleset, str) else ruleset
    return TargiEnvironment(rules, reward, render_mode)


class TargiEnvironment(AECEnv):  # type: ignore[misc]  # PettingZoo has no types
    """A game between `seat_0` and `seat_1`.

    An observation is a dict: `observation`, the tensor of the position for the agent (see `encode`), and
    `action_mask`, ones at the legal actions if it is the agent's turn. An action is an id of the vocabulary.
    """

    metadata = {"name": "targi_v1", "render_modes": list(RENDER_MODES), "is_parallelizable": False}  # noqa: RUF012

    def __init__(self, rules: Ruleset, reward: str, render_mode: str | None) -> None:
        super().__init__()
        if reward not in REWARDS:
            raise UsageError(f"no reward is called {reward!r}; there are {', '.join(REWARDS)}")
        if render_mode not in (None, *RENDER_MODES):
            raise UsageError(f"no render mode is called {render_mode!r}; there is ansi, or None")
        self.render_mode = render_mode
        self.possible_agents = list(AGENTS)
        self._rules = rules
        self._reward = REWARDS[reward]
        self._rng = random.Random()
        self._state = new_game(rules, bytes(SEED_BYTES))
        self.observation_spaces = {agent: _observation_space(rules) for agent in AGENTS}
        self.action_spaces = {agent: Discrete(len(ACTIONS)) for agent in AGENTS}

    @property
    def game(self) -> State:
        """The running game, decks and seeds included: for debugging and search, not for agents."""
        return self._state

    def observation_space(self, agent: str) -> Dict:
        """The space of an agent's observations."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Discrete:
        """The space of an agent's actions."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Deal a new game: the next one of a series that `seed` begins.

        `options` may hold `seed` and `opening`, 32 bytes each, to deal a certain game. Raises `SeedError`.
        """
        if seed is not None:
            self._rng = random.Random(seed)
        drawn = self._rng.randbytes(SEED_BYTES)
        given = options or {}
        self._state = new_game(self._rules, given.get("seed", drawn), given.get("opening"))
        self.agents = list(AGENTS)
        self.rewards = dict.fromkeys(AGENTS, 0.0)
        self._cumulative_rewards = dict.fromkeys(AGENTS, 0.0)
        self.terminations = dict.fromkeys(AGENTS, False)
        self.truncations = dict.fromkeys(AGENTS, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in AGENTS}
        self.agent_selection = AGENTS[self._state.current_seat]

    def step(self, action: int | None) -> None:
        """Take the action of the agent whose turn it is; None for one whose game is over."""
        if self.terminations[self.agent_selection] or self.truncations[self.agent_selection]:
            self._was_dead_step(action)
            return
        state = self._state
        state.apply(int(action) if action is not None else -1)
        self._cumulative_rewards[self.agent_selection] = 0.0
        self._clear_rewards()
        if state.is_over:
            self.rewards = dict(zip(AGENTS, self._reward(state.outcome()), strict=True))
            self.terminations = dict.fromkeys(AGENTS, True)
            self.agent_selection = AGENTS[1 - AGENTS.index(self.agent_selection)]
        else:
            self.agent_selection = AGENTS[state.current_seat]
        self._accumulate_rewards()

    def observe(self, agent: str) -> ObservationDict:
        """What an agent knows of the position."""
        seat = AGENTS.index(agent)
        legal = self._state.legal_actions() if seat == self._state.current_seat else ()
        tensor = encode(self._state.observation(seat))
        return {"observation": tensor, "action_mask": action_mask(legal)}

    def render(self) -> str | None:
        """The board for people as text, for the agent whose turn it is; None without render mode."""
        if self.render_mode is None:
            return None
        seat = max(self._state.current_seat, 0)
        console = Console(width=BOARD_WIDTH, color_system=None)
        with console.capture() as capture:
            console.print(board(self._state.observation(seat), seat, BOARD_WIDTH))
        return capture.get()

    def close(self) -> None:
        """There is nothing to release."""


def _observation_space(rules: Ruleset) -> Dict:
    length = layout_of(rules).length
    return Dict(
        {
            "observation": Box(0.0, HIGH, (length,), np.float32),
            "action_mask": Box(0, 1, (len(ACTIONS),), np.int8),
        }
    )
