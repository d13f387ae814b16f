"""The same seeds and the same seeded bots give the same records on any server and in process."""

import re
from functools import partial
from pathlib import Path

from arena_api import api
from arena_process import arena, targi, wait_for
from bot_process import running_bots
from targi_sdk.seeds import pair_seeds, series_seed

OF_THE_GAME = ("Format", "Rules", "Ruleset", "Variants", "Cards", "Opening", "Seed", "Seat0", "Seat1")
OF_THE_END = ("Score", "Result", "Termination", "Culprit")
TAG = re.compile(r"^\[(\w+) ")


def moves(record: str) -> str:
    """A record without comments and without the tags that belong to one match of one server."""
    kept = (*OF_THE_GAME, *OF_THE_END)
    lines = [line for line in record.splitlines() if not (tag := TAG.match(line)) or tag[1] in kept]
    return re.sub(r"\s*\{[^}]*\}", "", "\n".join(lines)).strip()


def over_the_service(folder: Path) -> list[str]:
    """Records of a mirrored challenge between two seeded bots on a new server."""
    folder.mkdir()
    seeds = pair_seeds(series_seed("7"), 0)
    specs = [("greedy", "greedy"), ("builder", "builder")]
    with (
        arena(folder / "data", "--no-pairing") as server,
        running_bots(server.address, specs, folder, "--seed", "00" * 32, "--in-process") as bots,
        api(server.address) as calls,
    ):
        ids = calls.challenge(bots[0].token, "builder", seeds.games, seeds.opening or b"")
        return [wait_for(f"record {match_id}", partial(calls.record, match_id)) for match_id in ids]


def test_two_servers_and_a_game_in_process_give_the_same_records(tmp_path: Path) -> None:
    done = targi("play", "greedy", "builder", "--games", "2", "--seed", "7", "--out", str(tmp_path / "local"))
    assert done.returncode == 0, done.stderr
    local = [moves(path.read_text()) for path in sorted((tmp_path / "local").glob("*.targi"))]
    assert len(local) == 2
    first, second = (over_the_service(tmp_path / name) for name in ("one", "two"))
    assert [moves(text) for text in first] == local
    assert [moves(text) for text in second] == local
