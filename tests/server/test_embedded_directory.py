"""The data directory: one supervisor at a time, and what the last one left."""

import errno
import os
import subprocess
import sys
from pathlib import Path

import pytest
from targi_server.embedded.directory import DataDirectory, Note, hold, usable
from targi_server.embedded.version import ServerVersion
from targi_server.start_errors import DataDirInUse, DataDirUnusable

HOLDER = """
import sys
from pathlib import Path
from targi_server.embedded.directory import hold
with hold(Path(sys.argv[1])):
    print("held", flush=True)
    sys.stdin.read()
"""


def test_a_missing_directory_is_made_with_its_parents(tmp_path: Path) -> None:
    with hold(tmp_path / "a" / "b") as directory:
        assert directory.path.is_dir()
        assert (directory.path / "lock").read_text() == f"{os.getpid()}\n"


def test_a_second_supervisor_is_told_the_first_ones_pid(tmp_path: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(tmp_path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == b"held\n"
        with (
            pytest.raises(DataDirInUse, match=rf"in use by the supervisor with pid {other.pid};"),
            hold(tmp_path),
        ):
            pass
        other.kill()
    with hold(tmp_path):
        assert (tmp_path / "lock").read_text() == f"{os.getpid()}\n"


LIMITED = """
import resource, sys
from pathlib import Path
from targi_server.embedded.directory import hold
from targi_server.start_errors import DataDirUnusable
resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
try:
    with hold(Path(sys.argv[1])):
        pass
except DataDirUnusable as error:
    print(error)
"""


def test_a_place_that_takes_files_but_no_content_is_refused(tmp_path: Path) -> None:
    command = [sys.executable, "-c", LIMITED, str(tmp_path)]
    said = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout
    assert said.startswith(f"cannot write data directory {tmp_path}: File too large; ")


def mode(path: Path) -> int:
    return path.stat().st_mode & 0o777


def test_a_new_directory_is_its_owners_alone(tmp_path: Path) -> None:
    with hold(tmp_path / "data") as directory:
        assert mode(directory.path) == 0o700


def test_an_older_directory_that_others_may_read_is_closed_to_them(tmp_path: Path) -> None:
    for place in (tmp_path, tmp_path / "appendonlydir"):
        place.mkdir(exist_ok=True)
        place.chmod(0o755)
    with hold(tmp_path):
        assert mode(tmp_path) == mode(tmp_path / "appendonlydir") == 0o700


def test_where_other_files_are_only_the_data_is_closed_and_the_rest_warned_of(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "appendonlydir").mkdir(mode=0o755)
    (tmp_path / "letters").touch()
    tmp_path.chmod(0o755)
    with hold(tmp_path):
        assert (mode(tmp_path), mode(tmp_path / "appendonlydir")) == (0o755, 0o700)
    assert f"others may enter the data directory {tmp_path}" in caplog.text


def test_a_full_disk_is_told_with_the_file_and_what_helps(tmp_path: Path) -> None:
    words = rf"cannot write data directory {tmp_path}: No space left on device \(/x\); make room"
    with pytest.raises(DataDirUnusable, match=words), usable(tmp_path):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), "/x")


def test_a_file_in_its_place_is_refused(tmp_path: Path) -> None:
    place = tmp_path / "data"
    place.write_text("")
    words = r"cannot write data directory .*/data: File exists; give one"
    with pytest.raises(DataDirUnusable, match=words), hold(place):
        pass


def test_a_place_where_nothing_can_be_written_is_refused() -> None:
    # /proc refuses root, too, which a mode would not.
    place = Path("/proc/targi") if sys.platform == "linux" else Path("/dev/targi")
    words = f"cannot write data directory {place}: .*--data-dir"
    with pytest.raises(DataDirUnusable, match=words), hold(place):
        pass


def test_a_directory_that_exists_but_refuses_files_is_refused() -> None:
    place = Path("/proc/self/fd") if sys.platform == "linux" else Path("/dev/fd")
    with pytest.raises(DataDirUnusable, match="cannot write data directory"), hold(place):
        pass


def test_without_a_note_nothing_ran_there(tmp_path: Path) -> None:
    assert DataDirectory(tmp_path).note() is None


def test_a_note_is_read_back(tmp_path: Path) -> None:
    directory = DataDirectory(tmp_path)
    note = Note(17, "/usr/bin/redis-server", "Redis 7.0.15", "/tmp/targi-x/redis.sock")
    directory.write(note)
    assert directory.note() == note
    assert note.wrote == ServerVersion("redis", (7, 0, 15))


@pytest.mark.parametrize("text", ["", "{}", "[1]", '{"pid": 1}', "no json"])
def test_a_note_that_does_not_read_is_not_guessed_at(tmp_path: Path, text: str) -> None:
    (tmp_path / "server.json").write_text(text)
    with pytest.raises(DataDirUnusable, match=r"server\.json does not read"):
        DataDirectory(tmp_path).note()
