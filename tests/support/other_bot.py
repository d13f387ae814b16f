"""`targi bot run` with other versions of the rules or the vocabulary: VERSIONS as JSON, then its arguments.

Its actions have other ids on the wire than the server's, so a match can be played by notation only.
"""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

SHIFT = 11


@contextmanager
def other_bot(
    address: str, name: str, token: str, log: Path, *flags: str, **versions: int
) -> Iterator[subprocess.Popen[bytes]]:
    """Such a bot process that plays at random, for the block; versions by name, RULES or VOCABULARY."""
    arguments = ["bot", "run", "random", "--name", name, "--server", address, "--in-process", *flags]
    with log.open("wb") as sink:
        process = subprocess.Popen(
            [sys.executable, __file__, json.dumps(versions), *arguments],
            stdout=sink,
            stderr=subprocess.STDOUT,
            env={**os.environ, "TARGI_TOKEN": token, "TARGI_HOME": str(log.parent)},
        )
        try:
            yield process
        finally:
            process.kill()
            process.wait()


def _main(versions: dict[str, int]) -> int:
    import targi_engine
    from targi.v1 import game_pb2

    vars(targi_engine).update(versions)  # before anything of the SDK is imported
    from targi_sdk import cli, wire

    actions = targi_engine.ACTIONS
    count = len(actions)
    doctored = [
        tuple(
            game_pb2.Action(id=(number + SHIFT) % count, name=name * named)
            for number, name in enumerate(actions)
        )
        for named in (False, True)
    ]
    vars(wire)["_messages"] = doctored.__getitem__
    return cli.main(sys.argv[2:])


if __name__ == "__main__":
    sys.exit(_main(json.loads(sys.argv[1])))
