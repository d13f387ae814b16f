"""The text of a card file as a JSON object, with words that help whoever wrote it in an editor."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from targi_engine.errors import CardFileError

LONGEST: Final = 60  # characters of a faulty line that are shown

# The beginning of what json says, and what to look for. More than one version of Python is covered.
_ADVICE: Final[Mapping[str, str]] = {
    "Expecting ',' delimiter": "a comma or a closing bracket is missing before this place",
    "Expecting ':' delimiter": "a colon is missing after the name of a field",
    "Expecting property name": "a field name in double quotes belongs here, or the comma before is too many",
    "Expecting value": "a value belongs here (a text in double quotes), or the comma before is too many",
    "Illegal trailing comma": "this comma is too many: nothing follows it",
    "Extra data": "the file should end before this place: a bracket closes too early",
    "Unterminated string": "the text that begins here has no closing double quote",
    "Invalid control character": "a text goes over the end of its line: a closing double quote is missing",
    "Invalid \\escape": 'a backslash in a text is written \\\\, a double quote \\"',
}


def read_text(path: Path) -> str:
    """The text of a file in UTF-8, with or without a byte order mark. Raises CardFileError."""
    try:
        return path.read_text("utf-8-sig")
    except UnicodeDecodeError as error:
        raise CardFileError(
            f"{path}: byte {error.start + 1} is not UTF-8 text: save the file with the encoding UTF-8"
        ) from error
    except OSError as error:
        raise CardFileError(f"{path}: cannot be read: {error.strerror}") from error


def read_object(text: str, where: str) -> dict[str, object]:
    """The JSON object of a text; `where` names it in errors. Raises CardFileError."""
    try:
        data = json.loads(text, object_pairs_hook=_once)
    except json.JSONDecodeError as error:
        raise CardFileError(f"{where}: {_advice(error)}") from error
    except (ValueError, RecursionError) as error:
        raise CardFileError(f"{where}: is no JSON of a card file: {error}") from error
    if not isinstance(data, dict):
        raise CardFileError(
            f"{where}: holds {shortened(data)}, not an object: it begins with {{ and ends with }}"
        )
    return data


def as_json(value: object) -> str:
    """A value as a card file writes it."""
    return json.dumps(value, ensure_ascii=False)


def shortened(value: object) -> str:
    """`as_json`, cut where it is long."""
    text = as_json(value)
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 2]}.."


def _once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """An object of the pairs; a field that is there twice would silently lose its first value."""
    found: dict[str, object] = {}
    for field, value in pairs:
        if field in found:
            raise ValueError(f"field {field!r} is there twice in {shortened(dict(pairs))}: keep one of them")
        found[field] = value
    return found


def _advice(error: json.JSONDecodeError) -> str:
    found = (words for start, words in _ADVICE.items() if error.msg.startswith(start))
    words = next(found, error.msg)
    lines = error.doc.splitlines()
    line = lines[error.lineno - 1].strip() if error.lineno <= len(lines) else ""
    shown = f": {line[:LONGEST]}" if line else ""
    return f"line {error.lineno}, column {error.colno}: {words}{shown}"
