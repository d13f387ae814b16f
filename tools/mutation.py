"""Tries small edits of the engine, as mutation_sample.py prints them: do the engine's tests notice each one?

    python tools/mutation_sample.py SAMPLE SEED | python tools/mutation.py REPORT

Each edit is made in a copy, in which all quick tests of the engine run until one fails: first those that have
noticed the most a second so far, and those named after the edited module. Edits under which the tests do not
end are noticed, too. The score is printed last; the edits that survived stand in the file REPORT. Some of
them change nothing that can be seen (an order that does not matter): read them, then write tests.
"""

import difflib
import json
import os
import queue
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as Xml
from collections import Counter, defaultdict
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from mutants import AT_A_TIME, ENVIRONMENT, ROOT, copy_project

PYTEST = (sys.executable, "-m", "pytest", "-x", "-q", "-m", "not full", "--tb=no", "-W", "ignore")
# It is about the tests and not about the engine.
LEFT_OUT = "tests/engine/test_rules_named.py"
SHORTEST_LIMIT_S = 120.0
SLOWER = 5  # times what all tests take without an edit: then they do not end
MOST_KIB = 4_000_000  # an edit may make a list that grows for ever
LIMITED = ("sh", "-c", 'ulimit -v "$0" 2>/dev/null; exec "$@"', str(MOST_KIB))


@dataclass(frozen=True)
class Edit:
    """One small edit: the file, relative to the project, and all that it holds afterwards."""

    file: str
    line: int
    operator: str
    source: str

    def shown(self) -> str:
        """The edit as file:line, operator, and the lines before and after."""
        before = (ROOT / self.file).read_text().splitlines()
        lines = difflib.unified_diff(before, self.source.splitlines(), n=0, lineterm="")
        changed = [line for line in lines if line[:1] in "+-" and line[:3] not in ("+++", "---")]
        return "\n".join((f"{self.file}:{self.line}: {self.operator}", *changed))


class Order:
    """In which order test files run, first those that are likely to fail soon; and how long they may take."""

    def __init__(self, seconds: dict[str, float]) -> None:
        self._seconds = seconds
        self.limit_s = max(SHORTEST_LIMIT_S, SLOWER * sum(seconds.values()))
        self._noticed: Counter[str] = Counter()

    def files(self, edit: Edit) -> list[str]:
        """All test files, the most promising first."""
        return sorted(self._seconds, key=lambda file: self._promise(file, Path(edit.file).stem), reverse=True)

    def noticed_by(self, file: str) -> None:
        self._noticed[file] += 1

    def _promise(self, file: str, module: str) -> float:
        """Edits noticed a second, with a start for a file named after the module."""
        named = 10 if module in Path(file).stem.split("_") else 0
        return (1 + named + self._noticed[file]) / (0.2 + self._seconds[file])


def pytest(copy: Path, *arguments: str, limit_s: float | None = None) -> tuple[int, str]:
    """Exit code and output of the tests in a copy; -1 if they do not end within the limit."""
    try:
        done = subprocess.run(
            [*LIMITED, *PYTEST, *arguments],
            cwd=copy,
            env={**os.environ, **ENVIRONMENT, "PYTHONPATH": str(copy / "engine")},
            capture_output=True,
            text=True,
            check=False,
            timeout=limit_s,
        )
    except subprocess.TimeoutExpired:
        return -1, ""
    return done.returncode, done.stdout


def measured(copy: Path) -> dict[str, float]:
    """Seconds by test file, without an edit. Ends the run if a test fails: every edit would seem noticed."""
    report = copy / "report.xml"
    code, output = pytest(copy, f"--ignore={LEFT_OUT}", f"--junitxml={report}", "tests/engine")
    if code != 0:
        raise SystemExit(
            f"the tests fail in a copy without any edit: run `make test` first\n{output[-2000:]}"
        )
    seconds: defaultdict[str, float] = defaultdict(float)
    for case in Xml.parse(report).iter("testcase"):
        module = next(part for part in case.attrib["classname"].split(".") if part.startswith("test_"))
        seconds[f"tests/engine/{module}.py"] += float(case.attrib["time"])
    return dict(seconds)


def failed_file(output: str) -> str:
    """The test file that the summary of pytest names."""
    words = [line.split()[1] for line in output.splitlines() if line.startswith(("FAILED ", "ERROR "))]
    return words[0].split("::")[0] if words else "no test: pytest itself ended"


def judge(edit: Edit, copy: Path, order: Order) -> str:
    """The test file that noticed the edit; "" if it survived."""
    path = copy / edit.file
    before = path.read_text()
    path.write_text(edit.source)
    try:
        code, output = pytest(copy, *order.files(edit), limit_s=order.limit_s)
    finally:
        path.write_text(before)
    if code == 0:
        return ""
    file = "the tests do not end" if code == -1 else failed_file(output)
    order.noticed_by(file)
    return file


def run(edits: list[Edit]) -> Iterator[tuple[Edit, str]]:
    """The edits and what noticed them, AT_A_TIME at a time, each in one of the copies."""
    with ExitStack() as stack:
        copies: queue.SimpleQueue[Path] = queue.SimpleQueue()
        for _ in range(AT_A_TIME):
            copies.put(new_copy(stack))
        first = copies.get()
        order = Order(measured(first))
        copies.put(first)
        pool = stack.enter_context(ThreadPoolExecutor(AT_A_TIME))
        yield from zip(edits, pool.map(lambda edit: in_a_copy(edit, copies, order), edits), strict=True)


def new_copy(stack: ExitStack) -> Path:
    """A copy of the project that goes when the stack closes."""
    target = Path(stack.enter_context(tempfile.TemporaryDirectory()))
    copy_project(target)
    (target / "tools").symlink_to(ROOT / "tools")
    return target


def in_a_copy(edit: Edit, copies: queue.SimpleQueue[Path], order: Order) -> str:
    copy = copies.get()
    try:
        return judge(edit, copy, order)
    finally:
        copies.put(copy)


def main() -> int:
    report = Path(sys.argv[1])
    edits = [Edit(**json.loads(line)) for line in sys.stdin]
    survivors: list[str] = []
    report.parent.mkdir(parents=True, exist_ok=True)
    report.write_text("")
    for number, (edit, file) in enumerate(run(edits), start=1):
        print(f"{number}/{len(edits)} {edit.file}:{edit.line} {file or 'SURVIVED'}", flush=True)
        if not file:
            survivors.append(edit.shown())
            report.write_text("\n\n".join(survivors) + "\n")
    noticed = len(edits) - len(survivors)
    print(f"mutation: {noticed} of {len(edits)} noticed, {len(survivors)} survived (see {report})")
    return 0 if edits else 1


if __name__ == "__main__":
    sys.exit(main())
