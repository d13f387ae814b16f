"""Applies each named mutant of the engine to a copy and expects a test that names its rule to fail.

`tests/engine/mutants.toml` holds the mutants: `id` (a rule or a card), `file`, `before`, `after`. A test
names an id in its node id (a parameter's id counts) or in the docstring of its function. A mutant that no
named test notices has survived; one whose `before` is not found exactly once in its file is out of date.
Both fail the run. A mutant under which the tests do not end, because the engine runs in a circle, is noticed.

    python tools/mutants.py [ID ...]      only the mutants of these ids
"""

import ast
import os
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TESTS = ROOT / "tests" / "engine"
AT_A_TIME = 2
MOST_TESTS = 40
LONGEST_S = 60.0
SURVIVED = "it survived"
# The copies run without pytest's plug-ins, whose import takes longer than the tests.
ENVIRONMENT = {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTHONDONTWRITEBYTECODE": "1"}
CONFIG = """\
[pytest]
addopts = --import-mode=importlib -p no:cacheprovider
pythonpath = engine tests/support
"""


@dataclass(frozen=True)
class Mutant:
    """One edit that breaks one rule."""

    id: str
    file: str
    before: str
    after: str


@dataclass(frozen=True)
class Named:
    """A test and the text in which it may name rules."""

    node: str
    text: str


def names(text: str, rule: str) -> bool:
    """Whether a text names a rule: "B3.3" is not named by "B3.31" or "XB3.3"."""
    return re.search(rf"(?<![\w.]){re.escape(rule)}(?![\w]|\.\d)", text) is not None


def docstrings() -> dict[str, str]:
    """Docstring of every test function, by "file::function"."""
    found = {}
    for path in TESTS.rglob("test_*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                found[f"{path.relative_to(ROOT)}::{node.name}"] = ast.get_docstring(node) or ""
    return found


def collected() -> list[Named]:
    """Every quick test of the engine."""
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "--collect-only", "-q", "-m", "not full", str(TESTS)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    documented = docstrings()
    nodes = [line for line in done.stdout.splitlines() if "::" in line]
    return [Named(node, f"{node} {documented.get(node.split('[')[0], '')}") for node in nodes]


def copy_project(target: Path) -> None:
    """The engine and its tests, with a configuration of their own."""
    for name in ("engine", "tests/engine", "tests/support"):
        shutil.copytree(ROOT / name, target / name, ignore=shutil.ignore_patterns("__pycache__"))
    (target / "pytest.ini").write_text(CONFIG)


def apply(mutant: Mutant, target: Path) -> bool:
    """Edits the copy; False if the mutant does not fit the source exactly once."""
    path = target / mutant.file
    source = path.read_text()
    if source.count(mutant.before) != 1:
        return False
    path.write_text(source.replace(mutant.before, mutant.after))
    return True


def judge(mutant: Mutant, tests: list[Named]) -> str:
    """Empty if a test noticed the mutant, else what is wrong."""
    chosen = [test.node for test in tests if names(test.text, mutant.id)][:MOST_TESTS]
    if not chosen:
        return "no test names it"
    with tempfile.TemporaryDirectory() as folder:
        target = Path(folder)
        copy_project(target)
        if not apply(mutant, target):
            return f"its `before` is not found exactly once in {mutant.file}"
        return run_tests(target, chosen)


def run_tests(target: Path, nodes: list[str]) -> str:
    """Runs tests of a copy; empty if one of them failed, else what happened instead."""
    try:
        done = subprocess.run(
            [sys.executable, "-m", "pytest", "-x", "-q", *nodes],
            cwd=target,
            env={**os.environ, **ENVIRONMENT, "PYTHONPATH": str(target / "engine")},
            capture_output=True,
            text=True,
            check=False,
            timeout=LONGEST_S,
        )
    except subprocess.TimeoutExpired:
        return ""
    if done.returncode == 1:
        return ""
    return SURVIVED if done.returncode == 0 else f"the tests did not run:\n{done.stdout[-2000:]}"


def load(ids: list[str]) -> list[Mutant]:
    with (TESTS / "mutants.toml").open("rb") as file:
        mutants = [Mutant(**row) for row in tomllib.load(file)["mutant"]]
    return [mutant for mutant in mutants if not ids or mutant.id in ids]


def check_copy(mutants: list[Mutant], tests: list[Named]) -> None:
    """Ends the run unless the tests pass in a copy without an edit: else every mutant would seem noticed."""
    ids = {mutant.id for mutant in mutants}
    nodes = [test.node for test in tests if any(names(test.text, rule) for rule in ids)]
    with tempfile.TemporaryDirectory() as folder:
        copy_project(Path(folder))
        if nodes and run_tests(Path(folder), nodes) != SURVIVED:
            raise SystemExit(
                "the tests fail in a copy of the project without any edit: run `make test` first"
            )


def run(mutants: list[Mutant]) -> Iterator[tuple[Mutant, str]]:
    tests = collected()
    check_copy(mutants, tests)
    with ThreadPoolExecutor(AT_A_TIME) as pool:
        yield from zip(mutants, pool.map(lambda mutant: judge(mutant, tests), mutants), strict=True)


def main() -> int:
    mutants = load(sys.argv[1:])
    failed = 0
    for mutant, problem in run(mutants):
        if problem:
            failed += 1
            edit = f"{mutant.before.strip()!r} -> {mutant.after.strip()!r}"
            print(f"{mutant.id}: {edit}: {problem}", flush=True)
    print(f"{len(mutants)} mutants, {len(mutants) - failed} noticed, {failed} not")
    return 1 if failed or not mutants else 0


if __name__ == "__main__":
    sys.exit(main())
