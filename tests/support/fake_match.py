"""A match of the scripted arena, against an opponent who plays the first legal action."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field

from targi.v1 import game_pb2
from targi.v1 import play_pb2 as pb
from targi_engine import Outcome, State, new_game
from targi_sdk.wire import (
    actions_to_proto,
    clocks_to_proto,
    logged_to_proto,
    outcome_to_proto,
    rules_to_proto,
    time_control_to_proto,
    view_to_proto,
)

SEED = bytes(range(32))


@dataclass
class FakeMatch:
    """A match against an opponent who plays the first legal action; the client has seat 0."""

    match_id: str = "a" * 16
    pair_id: str = ""
    seat: int = 0
    clocks: tuple[int, int] = (60_000, 60_000)
    state: State = field(default_factory=lambda: new_game("base", SEED))
    log: list[game_pb2.LoggedAction] = field(default_factory=list)

    @property
    def commitment(self) -> bytes:
        return hashlib.sha256(SEED + self.match_id.encode()).digest()

    @property
    def is_mine(self) -> bool:
        """Whether the client is to move."""
        return self.state.current_seat == self.seat

    def started(self) -> pb.ServerEvent:
        message = pb.MatchStarted(
            match_id=self.match_id,
            pair_id=self.pair_id,
            game=1,
            rated=bool(self.pair_id),
            seat=self.seat,
            seats=[game_pb2.Seat(bot="trial", version="1"), game_pb2.Seat(bot="rival", version="9")],
            rules=rules_to_proto(self.state.ruleset),
            time_control=time_control_to_proto(60_000, 1_000),
            seed_commitment=self.commitment,
            log=self.log,
            ply=self.state.ply,
            clocks=clocks_to_proto(self.clocks),
            view=view_to_proto(self.state.observation(self.seat), compact=True),
        )
        if self.is_mine:
            message.turn.CopyFrom(self.open_turn(view=False))
        return pb.ServerEvent(match_started=message)

    def open_turn(self, *, view: bool = True, named: bool = False) -> pb.Turn:
        return pb.Turn(
            match_id=self.match_id,
            ply=self.state.ply,
            decision=self.state.decision,
            legal=actions_to_proto(self.state.legal_actions(), named=named),
            clocks=clocks_to_proto(self.clocks),
            view=view_to_proto(self.state.observation(self.seat), compact=True) if view else None,
        )

    def turn(self, *, named: bool = False) -> pb.ServerEvent:
        return pb.ServerEvent(turn=self.open_turn(named=named))

    def play(self, action: int) -> pb.ServerEvent:
        """Apply an action and say so."""
        ply, seat = self.state.ply, self.state.current_seat
        self.state.apply(action)
        steps = [(seat, action, False), *((by, taken, True) for by, taken in self.state.forced)]
        actions = [logged_to_proto(ply, by, taken, forced=forced, named=False) for by, taken, forced in steps]
        self.log += actions
        applied = pb.Applied(
            match_id=self.match_id,
            ply=ply,
            actions=actions,
            taken=1,
            clocks=clocks_to_proto(self.clocks),
            next_ply=self.state.ply,
        )
        return pb.ServerEvent(applied=applied)

    def reply(self) -> list[pb.ServerEvent]:
        """The opponent's moves until the client is to move, with its Turn; or the end of the match."""
        events = []
        while not self.state.is_over and not self.is_mine:
            events.append(self.play(self.state.legal_actions()[0]))
        return [*events, self.ended() if self.state.is_over else self.turn()]

    def answer(self, act: pb.Act) -> list[pb.ServerEvent]:
        """What follows from an Act of the client."""
        assert (act.match_id, act.ply) == (self.match_id, self.state.ply)
        return [self.play(act.actions[0].id), *self.reply()]

    def ended(self, result: str = "", termination: str = "normal", culprit: str = "none") -> pb.ServerEvent:
        outcome: Outcome = self.state.outcome()
        message = outcome_to_proto(
            result or outcome.result,
            termination,
            culprit,
            scores=outcome.scores,
            breakdowns=outcome.breakdown,
            words="so it went",
        )
        return pb.ServerEvent(match_ended=pb.MatchEnded(match_id=self.match_id, outcome=message))
