"""Wheels carry the engine compiled where that is possible, and both forms of the engine do the same."""

from __future__ import annotations

import json
import shutil
import sys
import sysconfig
from itertools import zip_longest
from pathlib import Path

import pytest
from wheel_builds import ROOT, Environment, build, new_environment, run

GAMES = Path(__file__).resolve().parents[1] / "support" / "engine_games.py"
NO_COMPILER = "no-such-compiler"


PURE_WHEELS = [{"CC": NO_COMPILER}, {"TARGI_COMPILE": "0"}]


def form(environment: Environment) -> str:
    """Which form of the engine an environment has, as its own `targi version` says."""
    return str(json.loads(environment.targi("version", "--json"))["engine"])


def test_without_a_c_compiler_the_build_says_why_the_wheel_is_plain(tmp_path: Path) -> None:
    built = build(tmp_path, CC=NO_COMPILER)
    assert built.wheel is not None, built.said
    assert built.wheel.name.endswith("-py3-none-any.whl")
    assert not built.binaries()
    assert "stays plain Python" in built.said
    assert NO_COMPILER in built.said


def test_a_plain_wheel_can_be_asked_for(tmp_path: Path) -> None:
    built = build(tmp_path, TARGI_COMPILE="0")
    assert built.wheel is not None, built.said
    assert "stays plain" not in built.said


@pytest.mark.parametrize("settings", PURE_WHEELS, ids=["no compiler", "asked for"])
def test_a_plain_wheel_is_used_with_nothing_but_what_it_asks_for(
    tmp_path: Path, settings: dict[str, str]
) -> None:
    (folder := tmp_path / "wheel").mkdir()
    built = build(folder, "wheel", ROOT, **settings)
    assert built.wheel is not None, built.said
    environment = new_environment(tmp_path / "venv")
    environment.install(built.wheel)
    assert form(environment) == "pure"
    where = environment.run("-c", "import targi_engine; print(targi_engine.__file__)")
    assert Path(where).is_relative_to(environment.packages)
    environment.targi("play", "greedy", "random", "--games", "1", "--out", tmp_path / "games")
    verified = environment.targi("record", "verify", tmp_path / "games" / "000001.targi")
    assert "ok, base" in verified


def test_an_environment_sees_no_packages_from_outside(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever the tests were started with."""
    monkeypatch.setenv("PYTHONPATH", sysconfig.get_path("purelib"))
    monkeypatch.setenv("PYTHONHOME", str(tmp_path / "nowhere"))
    environment = new_environment(tmp_path / "venv")
    for package in ("pytest", "rich", "targi_engine"):
        failed = environment.attempt("-c", f"import {package}")
        assert failed.returncode == 1
        assert f"No module named '{package}'" in failed.stderr


def test_who_insists_on_compiling_gets_no_plain_wheel(tmp_path: Path) -> None:
    built = build(tmp_path, CC=NO_COMPILER, TARGI_COMPILE="1")
    assert built.wheel is None
    assert NO_COMPILER in built.said


def test_an_unknown_value_of_the_switch_stops_the_build(tmp_path: Path) -> None:
    built = build(tmp_path, TARGI_COMPILE="yes")
    assert built.wheel is None
    assert "TARGI_COMPILE=yes" in built.said
    assert "0 (plain Python)" in built.said


def test_an_editable_install_is_plain_and_sees_an_edit_at_once(tmp_path: Path) -> None:
    project = tmp_path / "project"
    shutil.copytree(ROOT, project, ignore=shutil.ignore_patterns(".*", "tests", "targi-data", "dist"))
    (folder := tmp_path / "wheel").mkdir()
    built = build(folder, "wheel:editable", project, TARGI_COMPILE="1")
    assert built.wheel is not None, built.said
    environment = new_environment(tmp_path / "venv")
    environment.install(built.wheel)
    assert form(environment) == "pure"
    module = project / "engine" / "targi_engine" / "__init__.py"
    module.write_text(module.read_text() + "\nEDITED = 'just now'\n")
    assert environment.run("-c", "import targi_engine; print(targi_engine.EDITED)") == "just now\n"


def test_the_source_tree_holds_no_extension_module() -> None:
    roots = [ROOT / name for name in ("engine", "sdk", "bots", "server", "proto")]
    assert not [path for root in roots for path in root.rglob("*.so")]


@pytest.mark.full
def test_a_compiler_that_fails_leaves_the_wheel_plain_too(tmp_path: Path) -> None:
    built = build(tmp_path, CC="false")
    assert built.wheel is not None, built.said
    assert not built.binaries()
    assert "mypyc or the C compiler failed" in built.said


@pytest.mark.full
def test_the_source_distribution_installs_with_the_engine_compiled(compiled: Environment) -> None:
    assert form(compiled) == "compiled"
    where = compiled.run("-c", "import targi_engine; print(targi_engine.__file__)")
    assert where.startswith(str(compiled.folder))


@pytest.mark.full
def test_both_forms_write_the_same_bytes(compiled: Environment) -> None:
    pure = run(sys.executable, GAMES, "40", PYTHONPATH=str(ROOT / "engine")).splitlines()
    assert len(pure) > 20_000
    lines = enumerate(zip_longest(pure, compiled.run(GAMES, "40").splitlines()), start=1)
    first = next(((number, *pair) for number, pair in lines if pair[0] != pair[1]), None)
    assert first is None


@pytest.mark.full
def test_the_tests_of_the_engine_pass_compiled(compiled: Environment, tmp_path: Path) -> None:
    """The whole suite, from outside of the sources."""
    report = compiled.run_with_tools("-m", "pytest", "-q", "-p", "no:cacheprovider", "tests/engine")
    assert " passed" in report
