"""Scripts are put together from parts, and production asks Redis for the time."""

from __future__ import annotations

from pathlib import Path

import pytest
from match_log import CLOCK
from targi_server.store.scripts import LUA, read_scripts

PARTS = LUA / "parts"


def test_each_part_comes_once_after_those_that_it_uses() -> None:
    source = read_scripts([LUA]).source
    places = [
        source.index((PARTS / f"{name}.lua").read_text()) for name in ("clock", "bucket", "match", "judge")
    ]
    assert places == sorted(places)
    assert source.count("local function now_ms()") == 1
    assert places[-1] < source.index((LUA / "append.lua").read_text())


def test_every_script_is_a_function_of_the_library() -> None:
    library = read_scripts([LUA])
    assert library.functions.keys() == {path.stem for path in LUA.glob("*.lua")}
    assert all(
        library.source.count(f"register_function('{name}'") == 1 for name in library.functions.values()
    )


def test_the_clock_of_all_scripts_is_the_time_of_redis() -> None:
    assert read_scripts([LUA]).source.count("redis.call('TIME')") == 1


def test_a_test_may_put_another_clock_in() -> None:
    source = read_scripts([LUA], clock=CLOCK).source
    assert "redis.call('TIME')" not in source and "'clock'" in source


def test_other_texts_have_other_names() -> None:
    one, other = read_scripts([LUA]), read_scripts([LUA], clock=CLOCK)
    assert one == read_scripts([LUA])
    assert one.name != other.name
    assert not set(one.functions.values()) & set(other.functions.values())


def test_scripts_of_other_directories_are_found_by_name(tmp_path: Path) -> None:
    (tmp_path / "greet.lua").write_text("-- uses: clock\nreturn int(now_ms())\n")
    assert "greet" in read_scripts([LUA, tmp_path]).functions


def test_two_scripts_of_one_name_are_refused(tmp_path: Path) -> None:
    (tmp_path / "append.lua").write_text("return 1\n")
    with pytest.raises(ValueError, match="two scripts are called 'append'"):
        read_scripts([LUA, tmp_path])


def test_a_part_that_is_not_there_is_named(tmp_path: Path) -> None:
    (tmp_path / "greet.lua").write_text("-- uses: nonsense\nreturn 1\n")
    with pytest.raises(FileNotFoundError, match="'nonsense'"):
        read_scripts([LUA, tmp_path])


@pytest.mark.parametrize("path", sorted(LUA.glob("*.lua")), ids=lambda path: path.stem)
def test_a_script_says_what_its_keys_arguments_and_answers_are(path: Path) -> None:
    head = path.read_text().partition("\n\n")[0]
    assert all(word in head for word in ("KEYS", "ARGV" if path.stem != "load" else "KEYS", "Returns"))
