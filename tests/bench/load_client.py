"""One bot process for load: answers turns by picking a legal action, nothing else, straight from the wire.

Two ways of answering:
- closed loop (`rate` 0): every turn at once, all turns of a frame in one frame;
- open loop: at times fixed in advance (a Poisson process of `rate` a second), each answering the oldest open
  turn. An answer's latency counts from its planned time, so a slow server cannot hide by slowing its clients.

Prints one JSON object at its end: acknowledged actions, seconds, latencies in ms (open loop: planned time to
Applied; closed loop: send to Applied), processor seconds, bytes a frame.
"""

import asyncio
import json
import random
import sys
import time
from collections import deque
from dataclasses import dataclass, field

import grpc.aio
from targi.v1 import match_service_pb2_grpc, play_pb2


@dataclass
class Load:
    """What one client does and what it saw."""

    address: str
    token: str
    capacity: int
    seconds: float
    rate: float = 0.0
    seed: int = 1
    acknowledged: int = 0
    latencies: list[float] = field(default_factory=list)
    sent_bytes: int = 0
    sent_acts: int = 0
    sent_at: dict[tuple[str, int], float] = field(default_factory=dict)
    open_turns: deque[tuple[str, int, int]] = field(default_factory=deque)
    nonce: random.Random = field(default_factory=lambda: random.Random(1))
    measuring: bool = False
    writing: asyncio.Lock = field(default_factory=asyncio.Lock)

    def hello(self) -> play_pb2.BotEvent:
        return play_pb2.BotEvent(
            hello=play_pb2.Hello(
                session=f"load-client-{self.seed:06d}",
                sdk_name="load",
                bot_version="1",
                vocabulary_version=1,
                capacity=self.capacity,
                rulesets=["base"],
                ladder=True,
                view=play_pb2.VIEW_FORM_COMPACT,
            )
        )

    def answer(self, event: play_pb2.ServerEvent, rng: random.Random) -> play_pb2.BotEvent | None:
        """What to say to one event at once, if anything."""
        kind = event.WhichOneof("event")
        if kind == "turn":
            return self.on_turn(event.turn, rng)
        if kind == "match_started" and event.match_started.HasField("turn"):
            return self.on_turn(event.match_started.turn, rng)
        if kind == "rejected" and event.rejected.HasField("turn"):
            return self.on_turn(event.rejected.turn, rng)
        if kind == "applied":
            self.on_applied(event.applied)
        elif kind == "offer":
            return play_pb2.BotEvent(
                ready=play_pb2.Ready(offer_id=event.offer.offer_id, nonce=self.nonce.randbytes(32))
            )
        elif kind == "ping":
            return play_pb2.BotEvent(pong=play_pb2.Pong(token=event.ping.token))
        return None

    def on_turn(self, turn: play_pb2.Turn, rng: random.Random) -> play_pb2.BotEvent | None:
        chosen = rng.choice(turn.legal).id
        if self.rate:
            self.open_turns.append((turn.match_id, turn.ply, chosen))
            return None
        return self.act(turn.match_id, turn.ply, chosen, time.perf_counter())

    def act(self, match_id: str, ply: int, action: int, planned: float) -> play_pb2.BotEvent:
        self.sent_at[match_id, ply] = planned
        act = play_pb2.Act(match_id=match_id, ply=ply)
        act.actions.add(id=action)
        return play_pb2.BotEvent(act=act)

    def on_applied(self, applied: play_pb2.Applied) -> None:
        planned = self.sent_at.pop((applied.match_id, applied.ply), None)
        if planned is not None and self.measuring:
            self.acknowledged += applied.taken
            self.latencies.append((time.perf_counter() - planned) * 1000)


Call = grpc.aio.StreamStreamCall[play_pb2.PlayRequest, play_pb2.PlayResponse]


async def send(load: Load, call: Call, events: list[play_pb2.BotEvent]) -> None:
    frame = play_pb2.PlayRequest(events=events)
    load.sent_bytes += frame.ByteSize()
    load.sent_acts += len(events)
    async with load.writing:
        await call.write(frame)


async def read(load: Load, call: Call) -> None:
    """Answers frame by frame."""
    rng = random.Random(load.seed)
    async for frame in call:
        answers = [answer for event in frame.events if (answer := load.answer(event, rng))]
        if answers:
            await send(load, call, answers)


async def open_loop(load: Load, call: Call) -> None:
    """Answers the oldest open turn at each planned time; a time without an open turn passes unused."""
    rng = random.Random(load.seed + 1)
    planned = time.perf_counter()
    while True:
        planned += rng.expovariate(load.rate)
        if (wait := planned - time.perf_counter()) > 0:
            await asyncio.sleep(wait)
        if load.open_turns:
            match_id, ply, action = load.open_turns.popleft()
            await send(load, call, [load.act(match_id, ply, action, planned)])


async def run(load: Load, warm_up_s: float) -> None:
    async with grpc.aio.insecure_channel(load.address) as channel:
        stub = match_service_pb2_grpc.MatchServiceStub(channel)
        call = stub.Play(metadata=(("authorization", f"Bearer {load.token}"),))
        await call.write(play_pb2.PlayRequest(events=[load.hello()]))
        tasks = [asyncio.create_task(read(load, call))]
        if load.rate:
            tasks.append(asyncio.create_task(open_loop(load, call)))
        await asyncio.wait(tasks, timeout=warm_up_s, return_when=asyncio.FIRST_COMPLETED)
        load.measuring = True
        await asyncio.wait(tasks, timeout=load.seconds, return_when=asyncio.FIRST_COMPLETED)
        failed = [task for task in tasks if task.done()]
        for task in tasks:
            task.cancel()
        call.cancel()
        for task in failed:
            task.result()


def main() -> None:
    parameters = json.loads(sys.argv[1])
    warm_up_s = parameters.pop("warm_up_s")
    load = Load(**parameters)
    cpu_before = time.process_time()
    asyncio.run(run(load, warm_up_s))
    print(
        json.dumps(
            {
                "acknowledged": load.acknowledged,
                "seconds": load.seconds,
                "cpu_s": time.process_time() - cpu_before,
                "latencies_ms": sorted(load.latencies),
                "bytes_an_answer": load.sent_bytes / max(1, load.sent_acts),
            }
        )
    )


if __name__ == "__main__":
    main()
