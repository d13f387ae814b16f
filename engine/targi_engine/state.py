"""The state of a game: everything on the table, the decks, and what is asked next.

A state is changed in place by `apply` and copied by `clone`. Rules live in the steps (see
steps.py); the state keeps the data and runs the steps until somebody has a choice to make.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from targi_engine import frames
from targi_engine.actions import action_name
from targi_engine.deck import Deck
from targi_engine.errors import IllegalAction
from targi_engine.payment import Payment
from targi_engine.player import Player, Powers, open_rows
from targi_engine.ruleset import Ruleset
from targi_engine.scoring import Outcome, outcome_of, scores_of
from targi_engine.steps import STEPS

if TYPE_CHECKING:
    from targi_engine.observation import Observation


class State:
    """A game in progress or over. Make one with `new_game`, `clone` or `Observation.determinize`.

    `State()` has nothing on its table: the engine fills what it makes, and no other use is meant.
    """

    __slots__ = (
        "_forced",
        "_legal",
        "asked",
        "bare",
        "centre",
        "current_seat",
        "down",
        "dune_slots",
        "dunes",
        "end_reason",
        "epochs",
        "first",
        "goods",
        "joint",
        "known",
        "opening",
        "payment",
        "placed",
        "players",
        "ply",
        "reached",
        "reveals",
        "robber",
        "round",
        "ruleset",
        "seed",
        "shown",
        "stack",
        "targia",
        "tribe",
        "turn",
    )

    ruleset: Ruleset
    seed: bytes
    opening: bytes | None
    ply: int  # asked decisions applied so far
    round: int  # 1 to 12
    first: int  # seat of the first player; of the coming round during a raid (B6.1)
    current_seat: int  # whose decision it is; -1 when the game is over
    turn: int  # own turns in which something was asked, so far
    asked: bool  # whether the running own turn was counted in `turn`
    reveals: int  # cards that became visible, so far
    robber: int  # border card; the corner during a raid
    targia: int  # border card; 0 without one
    players: tuple[Player, Player]
    centre: list[int]  # card number by cell, 0 where empty
    down: int  # mask of cells whose card is face down
    known: int  # mask of cells whose face-down card is known to both (X1.4)
    bare: int  # mask of cells that stay empty (B5.4)
    epochs: list[int]  # by cell with a face-down card: reshuffles of its deck when it was drawn
    tribe: Deck
    goods: Deck
    dunes: Deck
    dune_slots: list[int]  # face-up dunes, 0 where none lies
    joint: int  # mask of slots on which both players have a Targi (X5.3)
    placed: int  # placements of the round so far, passed ones counted
    stack: list[int]  # see frames.py
    payment: Payment | None  # the tribe card that is being paid
    shown: tuple[int, ...]  # cards turned up by an effect
    reached: tuple[tuple[int, ...], ...]  # displays of a running rearrangement
    end_reason: int  # see rounds.py
    _legal: tuple[int, ...]
    _forced: list[tuple[int, int]]

    def legal_actions(self) -> tuple[int, ...]:
        """The legal action ids, ascending: two or more, or none when the game is over."""
        return self._legal

    def apply(self, action: int) -> None:
        """Carry out an action of the seat to move, and all that follows without a choice.

        Raises IllegalAction, and changes nothing, if the action is not legal; TypeError if it is no int.
        """
        if not isinstance(action, int):  # 1.0 equals an id; compiled, the call itself refuses it
            raise TypeError(f"int object expected; got {type(action).__name__}")
        if action not in self._legal:
            raise IllegalAction(self._refusal(action))
        self.apply_unchecked(action)

    def apply_unchecked(self, action: int) -> None:
        """`apply` without the check, for an action taken from `legal_actions()`."""
        self.ply += 1
        if self._forced:
            self._forced = []
        STEPS[self.stack[-1] & frames.MASK].apply(self, action)
        self.advance()

    def advance(self) -> None:
        """Run steps until a choice of two or more actions comes up; forced ones are taken."""
        stack = self.stack
        while stack:
            step = STEPS[stack[-1] & frames.MASK]
            legal = step.legal(self)
            if len(legal) > 1:
                self._legal = legal
                if not self.asked:
                    self.asked = True
                    self.turn += 1
                return
            if legal:
                self._forced.append((self.current_seat, legal[0]))
                step.apply(self, legal[0])
        self._legal = ()

    def forget_forced(self) -> None:
        """Forget which actions the engine took last: an observation does not tell them."""
        self._forced = []

    def resume(self) -> None:
        """Work out the legal actions of the decision on top of the stack anew, after a restore."""
        self._legal = STEPS[self.stack[-1] & frames.MASK].legal(self) if self.stack else ()
        self.asked = True

    def _refusal(self, action: int) -> str:
        if not self._legal:
            return f"the game is over: {action} cannot be played any more"
        names = ", ".join(action_name(legal) for legal in self._legal)
        return (
            f"ply {self.ply}: action {action} is not legal for seat {self.current_seat} "
            f"at decision {self.decision!r}; legal: {names}"
        )

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return not self.stack

    @property
    def decision(self) -> str:
        """The kind of choice that is asked; "" when the game is over."""
        return frames.DECISIONS[self.stack[-1] & frames.MASK] if self.stack else ""

    @property
    def forced(self) -> tuple[tuple[int, int], ...]:
        """(seat, action id) that the engine took by itself in the last `apply` (or the deal), in order."""
        return tuple(self._forced)

    def outcome(self) -> Outcome:
        """Result, scores and breakdown, as they count now; final once the game is over (B8.3, B8.4)."""
        return outcome_of(self)

    def scores(self) -> tuple[int, int]:
        """The two scores as they would count now."""
        return scores_of(self)

    def observation(self, seat: int | None) -> Observation:
        """What a seat may know; None for a spectator."""
        from targi_engine.observation import observe  # it needs this module first

        return observe(self, seat)

    def encoded_observation(self, seat: int | None) -> bytes:
        """`observation(seat).encode()`, for whoever needs no more than the bytes."""
        from targi_engine.observation import encoded  # it needs this module first

        return encoded(self, seat)

    # What steps use.

    def me(self) -> Player:
        """The player whose decision or turn it is."""
        return self.players[self.current_seat]

    def push(self, frame: int, argument: int) -> None:
        """Put a step on the stack: it comes next."""
        self.stack.append(frame | argument << frames.BITS)

    def argument(self) -> int:
        """The argument of the top frame."""
        return self.stack[-1] >> frames.BITS

    def count_down(self, frame: int) -> None:
        """Lower the argument of the top frame; the frame goes when nothing is left."""
        left = (self.stack[-1] >> frames.BITS) - 1
        if left > 0:
            self.stack[-1] = frame | left << frames.BITS
        else:
            self.stack.pop()

    def begin_turn(self, seat: int) -> None:
        """An own turn of a seat begins: one placement, one action turn or one raid payment."""
        self.current_seat = seat
        self.asked = False

    def paying(self) -> Payment:
        """The payment that is under way."""
        payment = self.payment
        assert payment is not None
        return payment

    def draw_tribe(self) -> int:
        """The next tribe card, 0 if there is none; in the expansion the new top is then visible (X1.4)."""
        tribe = self.tribe
        made_anew = tribe.at == len(tribe.cards)
        card = tribe.draw(self.seed)
        if card and self.ruleset.open_top:
            self.reveals += made_anew + (tribe.at < len(tribe.cards))
        return card

    def set_display(self, me: Player, display: tuple[int, ...]) -> None:
        """Change a display, and with it what it lets its owner do."""
        powers = Powers()
        table = self.ruleset.catalog.powers
        for card in display:
            if card:
                powers.cards += 1
                table[card].join(powers)
        powers.rows = open_rows(display)
        me.display = display
        me.powers = powers

    # Copies.

    def clone(self) -> State:
        """A copy that shares nothing that changes."""
        new = State()
        new.ruleset = self.ruleset
        new.seed = self.seed
        new.opening = self.opening
        new.ply = self.ply
        new.round = self.round
        new.first = self.first
        new.current_seat = self.current_seat
        new.turn = self.turn
        new.asked = self.asked
        new.reveals = self.reveals
        new.robber = self.robber
        new.targia = self.targia
        new.players = (self.players[0].clone(), self.players[1].clone())
        new.centre = self.centre[:]
        new.down = self.down
        new.known = self.known
        new.bare = self.bare
        new.epochs = self.epochs[:]
        new.tribe = self.tribe.clone()
        new.goods = self.goods.clone()
        new.dunes = self.dunes.clone()
        new.dune_slots = self.dune_slots[:]
        new.joint = self.joint
        new.placed = self.placed
        new.stack = self.stack[:]
        new.payment = self.payment.clone() if self.payment is not None else None
        new.shown = self.shown
        new.reached = self.reached
        new.end_reason = self.end_reason
        new._legal = self._legal
        new._forced = self._forced[:]
        return new

    def __copy__(self) -> State:
        return self.clone()

    def __deepcopy__(self, memo: dict[int, object]) -> State:
        return self.clone()
