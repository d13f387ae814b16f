"""Every rule and every card is named by a test, and by a mutant that a test must notice."""

from __future__ import annotations

import importlib.util
import tomllib
from pathlib import Path
from types import ModuleType

from targi_engine import load_cards

HERE = Path(__file__).parent
MUTANTS = HERE.parent.parent / "tools" / "mutants.py"

# How many rules each chapter has: B1.1 to B1.4, and so on.
BASE = {1: 4, 2: 4, 3: 6, 4: 7, 5: 6, 6: 3, 7: 1, 8: 4, 9: 14}
EXPANSION = {1: 7, 2: 3, 3: 1, 4: 4, 5: 6, 6: 7, 7: 2}
RULES = [
    f"{letter}{chapter}.{rule}"
    for letter, chapters in (("B", BASE), ("X", EXPANSION))
    for chapter, last in chapters.items()
    for rule in range(1, last + 1)
]


def cards() -> dict[str, bool]:
    """The tribe cards and dunes by id, and whether they have an effect."""
    sets = [load_cards(name) for name in ("base", "expansion")]
    return {card.text("id"): card.has("effect") for one in sets for card in (*one.tribe, *one.dunes)}


def mutants_tool() -> ModuleType:
    """`tools/mutants.py`, which knows which test names what."""
    spec = importlib.util.spec_from_file_location("mutants_tool", MUTANTS)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_every_rule_and_card_is_named_by_a_test() -> None:
    tool = mutants_tool()
    tests = tool.collected()
    wanted = [*RULES, *cards()]
    missing = [name for name in wanted if not any(tool.names(test.text, name) for test in tests)]
    assert not missing


def test_every_rule_and_every_effect_has_a_mutant() -> None:
    with (HERE / "mutants.toml").open("rb") as file:
        mutated = {row["id"] for row in tomllib.load(file)["mutant"]}
    wanted = {*RULES, *(card for card, effect in cards().items() if effect)}
    assert not wanted - mutated
