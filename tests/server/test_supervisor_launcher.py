"""The tie between a child and the process that started it."""

import subprocess
import sys

import psutil
import pytest
from arena_process import wait_for

PARENT = """
import signal, subprocess, sys
from targi_server import launcher
program = [sys.executable, "-c", "import signal; signal.pause()"]
child = subprocess.Popen(launcher.tied(*program, by=signal.SIGKILL))
print(child.pid, flush=True)
child.wait()
"""
WATCHED = """
import os, signal, sys
from targi_server import launcher
launcher.LINUX, launcher.LOOK_S = False, 0.05
launcher.tie_to_parent(os.getppid(), signal.SIGKILL)
print("tied", flush=True)
signal.pause()
"""
GRANDPARENT = """
import subprocess, sys
child = subprocess.Popen([sys.executable, "-c", sys.argv[1]], stdout=subprocess.PIPE)
assert child.stdout.readline() == b"tied\\n"
print(child.pid, flush=True)
child.wait()
"""


@pytest.mark.parametrize(
    "arguments",
    [
        pytest.param(
            (PARENT,), marks=pytest.mark.skipif(sys.platform != "linux", reason="the kernel's own tie")
        ),
        (GRANDPARENT, WATCHED),
    ],
    ids=["kernel", "watcher"],
)
def test_a_child_tied_by_a_kill_ends_with_a_killed_parent(arguments: tuple[str, ...]) -> None:
    with subprocess.Popen([sys.executable, "-c", *arguments], stdout=subprocess.PIPE) as parent:
        assert parent.stdout is not None
        child = psutil.Process(int(parent.stdout.readline()))
        parent.kill()
        parent.wait(10)
    wait_for("the child's end", lambda: ended(child))


def ended(child: psutil.Process) -> bool:
    return not child.is_running() or child.status() == psutil.STATUS_ZOMBIE
