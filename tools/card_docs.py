"""Writes what is documented of card files from the tables by which the engine checks them.

python tools/card_docs.py            writes engine/cards.schema.json and the tables of engine/CARDS.md
python tools/card_docs.py --check    exit code 1 if one of them is not as it would be written
"""

import re
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

from targi_engine.cardschema import schema_text
from targi_engine.fields import BORDER, DUNE, GOODS_CHOSEN, GOODS_GIVEN, TRIBE, Fields
from targi_engine.meanings import COUNTED_WORDS, DECIDED_BY, MEANINGS, WHEN, value_words
from targi_engine.params import Param
from targi_engine.schema import COUNTED, EFFECTS_OF, EXTRA_PARAMS, PARAMS

ENGINE = Path(__file__).resolve().parent.parent / "engine"
PAGE = ENGINE / "CARDS.md"
SCHEMA = ENGINE / "cards.schema.json"
MARKER = re.compile(r"(<!-- table: (\w+) -->\n).*?(<!-- end -->)", re.DOTALL)


def effects() -> Iterator[str]:
    """Kinds of effect: what each does, with which kinds of card, and its parameters."""
    yield from _head("kind of effect", "on cards of kind", "what it does", "parameters and allowed values")
    for kind, params in PARAMS.items():
        on = ", ".join(card for card, kinds in EFFECTS_OF.items() if kind in kinds)
        yield _row(f"`{kind}`", on, _meaning(kind), _parameters(kind, params))


def _meaning(kind: str) -> str:
    """The sentence of a kind, or its sentences after the value that decides between them."""
    extras = [extra for extra, _ in EXTRA_PARAMS.values()]
    fields = {field: f"`{field}`" for field in (*PARAMS[kind], *extras)}
    fields |= {"per": "every `per`", "times": "`times` times"}
    if kind not in DECIDED_BY:
        return MEANINGS[kind].format(**fields)
    found = (key for key in MEANINGS if key.startswith(f"{kind}:"))
    return "<br>".join(
        f"`{DECIDED_BY[kind]}` `{key.partition(':')[2]}`: {MEANINGS[key].format(**fields)}" for key in found
    )


def _parameters(kind: str, params: Mapping[str, Param]) -> str:
    parts = [f"`{field}`: {_values(field, param)}" for field, param in params.items()]
    parts += [
        f"with `{field}` `{value}` also `{extra}`: {param.words()}"
        for (of, field, value), (extra, param) in EXTRA_PARAMS.items()
        if of == kind
    ]
    return "<br>".join(parts) or "none"


def _values(field: str, param: Param) -> str:
    return "see below" if field == "what" else param.words()


def kinds() -> Iterator[str]:
    """Kinds of card: when their effect happens."""
    yield from _head("kind of card", "its effect happens", "kinds of effect")
    for kind, allowed in EFFECTS_OF.items():
        yield _row(f"`{kind}`", WHEN[kind], ", ".join(f"`{name}`" for name in allowed) or "`null`")


def what() -> Iterator[str]:
    """What can be counted."""
    yield from _head("`what`", "counts")
    for name in COUNTED:
        yield _row(f"`{name}`", COUNTED_WORDS.get(name) or value_words(name))


def fields() -> Iterator[str]:
    """Fields of the cards of each section."""
    yield from _head("section", "card", "field", "allowed values")
    yield from _fields("tribe", "", TRIBE)
    yield _row("`tribe`", "", "`effect`", "see the kinds of effect")
    yield from _fields("goods", "", GOODS_GIVEN)
    chosen = Fields({"choose_one_of": GOODS_CHOSEN.required["choose_one_of"]})
    yield from _fields("goods", "instead of `gives`", chosen)
    yield from _fields("dunes", "", DUNE)
    yield _row("`dunes`", "", "`effect`", "see the kinds of effect")
    for name, face in BORDER.items():
        if face.required or face.optional:
            yield from _fields("border", f"`{name}`", face)


def _fields(section: str, card: str, found: Fields) -> Iterator[str]:
    for field, param in found.required.items():
        yield _row(f"`{section}`", card, f"`{field}`", param.words())
    for field, param in found.optional.items():
        yield _row(f"`{section}`", card, f"`{field}`, may be left out", param.words())


def _head(*columns: str) -> Iterator[str]:
    yield _row(*columns)
    yield _row(*("---" for _ in columns))


def _row(*cells: str) -> str:
    return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"


TABLES = {"effects": effects, "kinds": kinds, "what": what, "fields": fields}


def page(text: str) -> str:
    """The page with its tables written anew."""
    return MARKER.sub(lambda found: found[1] + "\n".join(TABLES[found[2]]()) + "\n" + found[3], text)


def main(arguments: list[str]) -> int:
    wanted = {SCHEMA: schema_text(), PAGE: page(PAGE.read_text("utf-8"))}
    stale = [path for path, text in wanted.items() if not path.exists() or path.read_text("utf-8") != text]
    for path in stale:
        if arguments == ["--check"]:
            print(f"{path} is not current: run python tools/card_docs.py")
        else:
            path.write_text(wanted[path], "utf-8")
            print(f"{path} written")
    return 1 if stale and arguments == ["--check"] else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
