"""Whether a process lives, and what it runs."""

import subprocess
import sys
from pathlib import Path

import pytest
from arena_process import wait_for
from targi_server.embedded import pids
from targi_server.embedded.pids import command_of, is_alive

WAITS = [sys.executable, "-c", "import sys; print(flush=True); sys.stdin.read()", "a-mark"]


@pytest.fixture(params=["proc", "ps"])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both ways of looking; `ps` is the one where there is no /proc."""
    if request.param == "ps":
        monkeypatch.setattr(pids, "PROC", Path("/absent"))


@pytest.mark.usefixtures("way")
def test_a_process_lives_until_it_ends_even_when_nobody_collects_it() -> None:
    with subprocess.Popen(WAITS, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as child:
        assert child.stdout is not None
        child.stdout.readline()
        assert is_alive(child.pid)
        assert "a-mark" in command_of(child.pid)
        child.kill()
        wait_for("its end", lambda: not is_alive(child.pid), 10)
    assert not is_alive(child.pid)
    assert command_of(child.pid) == ""


@pytest.mark.usefixtures("way")
def test_the_first_process_of_the_system_lives() -> None:
    assert is_alive(1)
