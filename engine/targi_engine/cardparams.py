"""Values that only cards have, not effects: costs, extras, what raids ask (see params.py)."""

from __future__ import annotations

from typing import Final

from targi_engine.entry import MOST, Entry
from targi_engine.goods import GOODS, KINDS
from targi_engine.params import JsonSchema, Number, Param, counts_schema, object_schema, quoted

COST_KINDS: Final = KINDS[:5]


class Costs(Param):
    """The cost of a tribe card: one or two alternatives."""

    __slots__ = ()

    def check(self, entry: Entry, field: str) -> None:
        costs = entry.listed(field)
        if not 1 <= len(costs) <= 2:
            entry.refuse(field, "one or two alternatives")
        for cost in costs:
            cost.only((), COST_KINDS)
            Entry(entry.where, {field: cost.data}).counts(field, COST_KINDS)
        if len(costs) == 2 and costs[0].data == costs[1].data:
            entry.refuse(field, "one alternative, or two that differ")

    def words(self) -> str:
        return (
            f"a list of one alternative or two that differ, counts from 1 to {MOST} of {quoted(COST_KINDS)}"
        )

    def schema(self) -> JsonSchema:
        costs: JsonSchema = {"type": "array", "items": counts_schema(COST_KINDS)}
        return {**costs, "minItems": 1, "maxItems": 2, "uniqueItems": True}


class Surplus(Param):
    """Goods that may be paid on top, and the VP for them (X6.2)."""

    __slots__ = ()

    def check(self, entry: Entry, field: str) -> None:
        surplus = entry.inner(field)
        surplus.only(("pay", "vp"))
        surplus.counts("pay", GOODS)
        surplus.number("vp", 1, MOST)

    def words(self) -> str:
        return f"`pay`: counts from 1 to {MOST} of {quoted(GOODS)}; `vp`: 1 to {MOST}"

    def schema(self) -> JsonSchema:
        return object_schema({"pay": counts_schema(GOODS), "vp": Number(1, MOST).schema()}, ("pay", "vp"))


class Demand(Param):
    """What a raid asks: goods or gold, or else VP or a card."""

    __slots__ = ()

    def check(self, entry: Entry, field: str) -> None:
        allowed = (
            "two alternatives: goods, or some of dates, salt, pepper, or gold (1 to 12); "
            "then vp (1 to 12) or rightmost_tribe_card (1)"
        )
        options = entry.listed(field)
        if len(options) != 2:
            entry.refuse(field, allowed)
        first = Entry(entry.where, {field: options[0].data})
        paid = first.counts(field, ("goods", *GOODS, "gold"))
        if len(paid) > 1 and not set(paid) <= set(GOODS):
            entry.refuse(field, allowed)
        second = Entry(entry.where, {field: options[1].data})
        other = second.counts(field, ("vp", "rightmost_tribe_card"))
        if len(other) > 1 or other.get("rightmost_tribe_card", 1) != 1:
            entry.refuse(field, allowed)

    def words(self) -> str:
        return (
            f"a list of two: first a count (1 to {MOST}) of `goods` or `gold`, or counts of {quoted(GOODS)}; "
            f'then `{{"vp": 1}}` (1 to {MOST}) or `{{"rightmost_tribe_card": 1}}`'
        )

    def schema(self) -> JsonSchema:
        first = [counts_schema(kinds) for kinds in (("goods",), ("gold",), GOODS)]
        second = [counts_schema(("vp",)), {"const": {"rightmost_tribe_card": 1}}]
        items = [{"anyOf": first}, {"anyOf": second}]
        return {"type": "array", "prefixItems": items, "minItems": 2, "maxItems": 2}
