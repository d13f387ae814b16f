"""JSON Schema of card files, made from the tables by which the engine checks them.

An editor that knows it offers fields and values while a file is written. What concerns several cards (ids,
nine of a symbol, costs within reach, the length of a game) only the engine checks.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Final

from targi_engine.cardfile import PACKAGED
from targi_engine.fields import (
    BORDER,
    DUNE,
    GOODS_CHOSEN,
    GOODS_GIVEN,
    NUMBERS,
    TRIBE,
    WORDS_ONLY,
    Fields,
)
from targi_engine.length import MOST_DECISIONS
from targi_engine.params import JsonSchema, Param, object_schema, when
from targi_engine.schema import EFFECTS_OF, EXTRA_PARAMS, PARAMS, TRIBE_KINDS

DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"
_TOGETHER: Final = (
    "Amounts are bounded together too: with the cards of a ruleset a game may have "
    f"{MOST_DECISIONS:,} decisions at most. `targi cards check` tells."
)
_TEXT: Final[JsonSchema] = {"type": "string", "minLength": 1}


def card_schema() -> JsonSchema:
    """The JSON Schema of a card file, as a JSON object."""
    sections: dict[str, JsonSchema] = {
        name: {"type": "array", "items": _definition(name)} for name in ("tribe", "goods", "border", "dunes")
    }
    fields: dict[str, JsonSchema] = {
        "set": {**_TEXT, "description": "Name of the card set."},
        "note": {},
        "based_on": {
            "enum": [*PACKAGED, None],
            "description": "The packaged set of which this file holds only the cards that it changes.",
        },
        **sections,
        "$schema": {},
    }
    return {
        "$schema": DIALECT,
        "title": "Card file of Targi",
        "description": _TOGETHER,
        **object_schema(fields, ("set",)),
        "$defs": {
            "tribe": _with_effect(TRIBE, TRIBE_KINDS),
            "goods": _goods(),
            "dunes": _with_effect(DUNE, ("dune",)),
            "border": _border(),
            **{f"effect_{kind}": _effect(kind) for kind in PARAMS},
        },
    }


def schema_text() -> str:
    """`card_schema` as the text of a file."""
    return json.dumps(card_schema(), indent=1, ensure_ascii=False) + "\n"


def _definition(name: str) -> JsonSchema:
    return {"$ref": f"#/$defs/{name}"}


def _card(fields: Fields, others: dict[str, JsonSchema]) -> JsonSchema:
    """An object with the fields of a card, and others that must be there too."""
    known: dict[str, JsonSchema] = {
        **others,
        **{field: param.schema() for field, param in fields.required.items()},
        **{field: {"anyOf": [param.schema(), {"type": "null"}]} for field, param in fields.optional.items()},
        **{field: {} for field in WORDS_ONLY},
    }
    return object_schema(known, (*others, *fields.required))


def _with_effect(fields: Fields, kinds: tuple[str, ...]) -> JsonSchema:
    """A card whose kind decides which effects it may have."""
    rules = [when("kind", kind, {"effect": _effects(EFFECTS_OF[kind])}) for kind in kinds]
    return {**_card(fields, {"effect": {}}), "allOf": rules}


def _effects(kinds: tuple[str, ...]) -> JsonSchema:
    """One of some kinds of effect, or null where there is none."""
    if not kinds:
        return {"type": "null"}
    return {
        "type": "object",
        "properties": {"kind": {"enum": list(kinds)}},
        "required": ["kind"],
        "allOf": [
            {"if": {"properties": {"kind": {"const": kind}}}, "then": _definition(f"effect_{kind}")}
            for kind in kinds
        ],
    }


def _effect(kind: str) -> JsonSchema:
    """A kind of effect with its parameters."""
    params = PARAMS[kind]
    known: dict[str, JsonSchema] = {"kind": {"const": kind}, **_schemas(params)}
    conditions = [rule for field, param in params.items() for rule in param.conditions(field)]
    for (of, field, value), (extra, param) in EXTRA_PARAMS.items():
        if of == kind:
            known[extra] = param.schema()
            there = {"properties": {field: {"const": value}}}
            absent: JsonSchema = {"properties": {extra: False}}
            conditions.append({"if": there, "then": {"required": [extra]}, "else": absent})
    effect = object_schema(known, ("kind", *params))
    return {**effect, "allOf": conditions} if conditions else effect


def _schemas(params: Mapping[str, Param]) -> dict[str, JsonSchema]:
    return {field: param.schema() for field, param in params.items()}


def _goods() -> JsonSchema:
    """Goods cards: a good of choice, or what they give."""
    chosen = {"required": ["choose_one_of"]}
    return {"if": chosen, "then": _card(GOODS_CHOSEN, {}), "else": _card(GOODS_GIVEN, {})}


def _border() -> JsonSchema:
    """Border cards: which ones may lie on which numbers, and the fields of each."""
    numbers = sorted(number for group, _ in NUMBERS for number in group)
    rules = [
        {
            "if": {"properties": {"no": {"enum": list(group)}}},
            "then": {"properties": {"card": {"enum": list(names)}}},
        }
        for group, names in NUMBERS
    ]
    faces = [
        {
            "if": {"properties": {"card": {"const": name}}},
            "then": _card(fields, {"no": {"enum": numbers}, "card": {"enum": list(BORDER)}}),
        }
        for name, fields in BORDER.items()
    ]
    return {"type": "object", "required": ["no", "card"], "allOf": [*rules, *faces]}
