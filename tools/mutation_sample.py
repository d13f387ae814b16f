"""Prints a sample of small edits of the engine, each a JSON object on a line, made by cosmic-ray's operators.

    python tools/mutation_sample.py SAMPLE SEED

It runs in an environment of its own that holds cosmic-ray (`make mutation` prepares it). Every place that an
operator family can change is equally likely, and so is every change of that family there: else the operators
of arithmetic, with eleven changes a place, would fill the sample. Edits of annotations only are left out.
"""

import ast
import json
import random
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cosmic_ray.ast import ast_nodes, get_ast
from cosmic_ray.mutating import mutate_code
from cosmic_ray.plugins import get_operator, operator_names

ROOT = Path(__file__).resolve().parent.parent
ENGINE = ROOT / "engine" / "targi_engine"
# They need to be told which variables; the others work on any source.
WITH_SETTINGS = ("core/VariableReplacer", "core/VariableInserter")


@dataclass(frozen=True)
class Edit:
    """One change: the operator applied at its so-manieth place in a file."""

    path: Path
    operator: str
    occurrence: int
    line: int


class Annotations(ast.NodeTransformer):
    """Takes annotations off: nothing is computed from them."""

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        node.annotation = ast.Constant(None)
        return self.generic_visit(node)

    def visit_arg(self, node: ast.arg) -> ast.AST:
        node.annotation = None
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        node.returns = None
        return self.generic_visit(node)


def computed(source: str) -> str:
    """A source without its annotations, to be compared; "" for what is no Python, as operators may make."""
    try:
        return ast.dump(Annotations().visit(ast.parse(source)))
    except SyntaxError:
        return ""


def places(path: Path) -> Iterator[tuple[tuple[object, ...], Edit]]:
    """Each edit of a file, with the place and the family that it belongs to."""
    # cosmic-ray has no types; a node is one of parso.
    tree: Any = get_ast(path.read_text())
    for name in operator_names():
        if name in WITH_SETTINGS:
            continue
        operator = get_operator(name)()
        found = (position for node in ast_nodes(tree) for position in operator.mutation_positions(node))
        for occurrence, (start, _) in enumerate(found):
            yield (path.name, start, name.split("_")[0]), Edit(path, name, occurrence, start[0])


def sampled(rng: random.Random) -> Iterator[tuple[Edit, str]]:
    """All places in random order, one edit of each, with the source that it makes."""
    by_place: dict[tuple[object, ...], list[Edit]] = {}
    for path in sorted(ENGINE.glob("*.py")):
        for place, edit in places(path):
            by_place.setdefault(place, []).append(edit)
    chosen = [rng.choice(edits) for edits in by_place.values()]
    rng.shuffle(chosen)
    for edit in chosen:
        before = edit.path.read_text()
        after = mutate_code(before, get_operator(edit.operator)(), edit.occurrence)
        if after is not None and computed(after) not in ("", computed(before)):
            yield edit, after


def main() -> int:
    sample, seed = map(int, sys.argv[1:])
    for _, (edit, source) in zip(range(sample), sampled(random.Random(seed)), strict=False):
        file = edit.path.relative_to(ROOT).as_posix()
        row = {"file": file, "line": edit.line, "operator": edit.operator, "source": source}
        print(json.dumps(row), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
