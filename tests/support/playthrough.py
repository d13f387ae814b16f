"""Golden playthroughs: one game as text, with state, observations and legal actions at every decision.

A block a decision. `state` shows what no player sees, `sees 0` and `sees 1` what the seats see: of each
only what differs from the block before, and of seat 1 only what differs from seat 0. `<` are the legal
actions, `>` is the one that was played, with those that the engine took by itself in brackets.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from targi_engine import Observation, State, Words, action_name, frames, new_game
from targi_engine.deck import Deck
from targi_engine.views import PlayerView

Policy = Callable[[State, Words], int]
Shown = dict[str, str]


def uniform(state: State, words: Words) -> int:
    """Any legal action."""
    legal = state.legal_actions()
    return legal[words.below(len(legal))]


# What a builder likes, in this order: laying cards and whatever comes with it, cards, goods, the end last.
_LIKES: Final = ("row", "cost", "~", "from:card", "c", "b14", "b1", "hand", "keep", "take", "pay:goods")
_DISLIKES: Final = ("end", "discard", "b9")


def builder(state: State, words: Words) -> int:
    """An action that lays cards or leads there, if there is one."""
    legal = state.legal_actions()
    for liked in _LIKES:
        found = [action for action in legal if action_name(action).startswith(liked)]
        if found:
            return found[words.below(len(found))]
    rest = [action for action in legal if action_name(action) not in _DISLIKES] or list(legal)
    return rest[words.below(len(rest))]


@dataclass(frozen=True)
class Playthrough:
    """A game that is fixed by its seeds and by who chooses."""

    name: str
    ruleset: str
    seed: bytes
    policy: Policy
    opening: bytes | None = None
    variants: str = ""

    def lines(self) -> Iterator[str]:
        """The text, line by line."""
        state = new_game(self.ruleset, self.seed, self.opening, variants=self.variants)
        words = Words(self.seed, "policy")
        yield f"{self.ruleset} {self.variants or '(no variants)'}, cards {state.ruleset.cards_hash}"
        yield f"seed {self.seed.hex()}, opening {self.opening.hex() if self.opening else 'none'}"
        blocks = _Blocks()
        while not state.is_over:
            yield from blocks.block(state)
            action = self.policy(state, words)
            yield f"  <  {' '.join(map(action_name, state.legal_actions()))}"
            state.apply(action)
            taken = "".join(f" ({action_name(forced)})" for _, forced in state.forced)
            yield f"  >  {action_name(action)}{taken}"
        yield from blocks.block(state)
        outcome = state.outcome()
        yield f"{outcome.result} {outcome.scores[0]}-{outcome.scores[1]}"
        yield from (f"  seat {seat} {parts._asdict()}" for seat, parts in enumerate(outcome.breakdown))

    def text(self) -> str:
        """The whole text."""
        return "\n".join(self.lines()) + "\n"


class _Blocks:
    """Writes a block a decision and remembers what was shown."""

    def __init__(self) -> None:
        self.before: dict[str, Shown] = {"state": {}, "sees 0": {}}

    def block(self, state: State) -> Iterator[str]:
        views = [observed(state.observation(seat)) for seat in (0, 1)]
        yield f"{state.ply} round {state.round}, seat {state.current_seat}: {state.decision or 'over'}"
        yield from self._changes("state", hidden(state))
        yield from self._changes("sees 0", views[0])
        different = {key: text for key, text in views[1].items() if views[0][key] != text}
        if different:
            yield f"  sees 1  {_joined(different)}"
        else:
            yield "  sees 1  the same"

    def _changes(self, what: str, shown: Shown) -> Iterator[str]:
        before = self.before[what]
        changed = {key: text for key, text in shown.items() if before.get(key) != text}
        self.before[what] = shown
        if changed:
            yield f"  {what}  {_joined(changed)}"


def _joined(shown: Mapping[str, str]) -> str:
    return "; ".join(f"{key}: {text}" for key, text in shown.items())


_FRAMES: Final[Mapping[int, str]] = {
    number: name.lower()
    for name, number in vars(frames).items()
    if isinstance(number, int) and name not in ("BITS", "MASK")
}


def hidden(state: State) -> Shown:
    """What the state holds and nobody sees."""
    names = state.ruleset.catalog.names
    down = {cell: names[state.centre[cell]] for cell in range(9) if state.down >> cell & 1}
    return {
        "stack": " ".join(map(_frame, state.stack)),
        "face down": " ".join(f"c{cell} {name}" for cell, name in down.items()) or "none",
        **_order(state, state.tribe),
        **_order(state, state.goods),
        **_order(state, state.dunes),
        "turns": str(state.turn),
        "reveals": str(state.reveals),
    }


def _frame(frame: int) -> str:
    argument = frame >> frames.BITS
    name = _FRAMES[frame & frames.MASK]
    return f"{name}({argument})" if argument else name


def _order(state: State, deck: Deck) -> Shown:
    """A deck whole, which changes only when it is made anew, and how many of it are left."""
    names = [state.ruleset.catalog.names[card] for card in deck.cards]
    return {
        f"{deck.label} deck {deck.shuffles}": " ".join(names) or "empty",
        f"{deck.label} left": f"{deck.left()}, next {names[deck.at]}" if deck.left() else "none",
    }


def observed(view: Observation) -> Shown:
    """What a seat sees, by name."""
    shown = {
        "asked": f"round {view.round} ply {view.ply} seat {view.current_seat} {view.decision}",
        "first": str(view.first),
        "robber": str(view.robber),
        "targia": str(view.targia),
        "centre": " ".join(name or "-" for name in view.centre_names),
        "backs": " ".join(
            f"c{cell} {card.card or card.deck}"
            for cell, card in enumerate(view.centre)
            if card.deck and not card.face_up
        ),
        "turned up": " ".join(view.revealed) or "none",
        "dunes": " ".join(name or "-" for name in view.dunes),
        "top": str(view.top),
        "decks": " ".join(map(str, view.decks)),
        "discards": " / ".join(" ".join(cards) for cards in view.discards),
        "scores": "-".join(map(str, view.scores())),
    }
    for seat, player in enumerate(view.players):
        shown.update({f"{seat} {key}": text for key, text in _side(player).items()})
    return shown


def _side(player: PlayerView) -> Shown:
    stock = zip(("d", "s", "p", "g", "w", "v"), player[:6], strict=True)
    figures = [*map(str, player.targis), *(f"d{slot}" for slot in player.dune_targis)]
    return {
        "holds": " ".join(f"{count}{kind}" for kind, count in stock if count) or "nothing",
        "hand": " ".join(player.hand) + (f" ({player.fresh} fresh)" if player.fresh else ""),
        "display": "/".join(" ".join(row) for row in player.display),
        "unused": " ".join((*player.tokens, *["gold"] * player.stored_gold)) or "none",
        "targis": " ".join(figures) or "none",
        "markers": " ".join(map(str, player.markers)) or "none",
    }


PLAYTHROUGHS: Final = (
    Playthrough("base-random", "base", bytes(range(32)), uniform),
    Playthrough("base-builder", "base", bytes(range(64, 96)), builder),
    Playthrough(
        "base-opening-flat3",
        "base",
        bytes(range(96, 128)),
        uniform,
        opening=bytes(range(32, 64)),
        variants="unpayable_raid=flat3",
    ),
    Playthrough("expansion-random", "expansion", bytes(range(128, 160)), uniform),
    Playthrough("mixed-builder", "mixed", bytes(range(160, 192)), builder, opening=bytes(range(32, 64))),
)
