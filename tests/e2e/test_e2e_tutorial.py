"""The README's tutorial, pasted into a shell on a clean clone, ends with a bot in the standings."""

import os
import re
import signal
import subprocess
from pathlib import Path

import pytest
from arena_process import pids_with

ROOT = Path(__file__).resolve().parents[2]
BLOCK = re.compile(r"^```sh\n(.*?)^```$", re.S | re.M)
WITHIN_S = 600


def clone(target: Path) -> None:
    """The committed state, as somebody else gets it."""
    subprocess.run(["git", "clone", "-q", ROOT, target], check=True)


def pasted(readme: Path) -> str:
    """The blocks as one script that stops where a person would: at the first command that fails."""
    blocks = BLOCK.findall(readme.read_text())
    assert len(blocks) >= 5, "the tutorial lost its blocks"
    return "set -eum\n" + "\n".join(blocks)


def test_every_bot_of_the_tutorial_names_its_owner() -> None:
    """Else the second one belongs to the owner of the first, if that is kept by then: they never meet."""
    lines = [line for line in pasted(ROOT / "README.md").splitlines() if "--register" in line]
    owners = {line.partition("--owner ")[2].split(" ")[0] for line in lines}
    assert len(lines) == len(owners) == 2
    assert "" not in owners


@pytest.mark.full
def test_the_tutorial_ends_with_an_own_bot_in_the_standings(tmp_path: Path) -> None:
    checkout = tmp_path / "clone"
    clone(checkout)
    environment = {key: value for key, value in os.environ.items() if not key.startswith("TARGI_")}
    environment |= {"TARGI_HOME": str(tmp_path / "home"), "TERM": "dumb"}
    shell = subprocess.Popen(
        ["bash", "-c", pasted(checkout / "README.md")],
        cwd=checkout,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )
    try:
        output, _ = shell.communicate(timeout=WITHIN_S)
    finally:
        if shell.poll() is None:
            os.killpg(shell.pid, signal.SIGKILL)
    assert shell.returncode == 0, output
    table = output[output.rindex("rank") :]
    assert re.search(r"^\s*\d+\s+my-bot\s+1\s", table, re.M), output
    assert not pids_with(str(checkout)), output
