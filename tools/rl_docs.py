"""Writes the tables of sdk/RL.md from the layout of the tensors. Needs the extra `rl`.

python tools/rl_docs.py            writes them
python tools/rl_docs.py --check    exit code 1 if they are not as they would be written
"""

import re
import sys
from collections.abc import Iterator
from pathlib import Path

from targi_engine import RULESETS, ruleset
from targi_sdk.rl import layout_of

PAGE = Path(__file__).resolve().parent.parent / "sdk" / "RL.md"
MARKER = re.compile(r"(<!-- planes -->\n).*?(<!-- end -->)", re.DOTALL)


def planes() -> Iterator[str]:
    """One row a plane: where it begins in each ruleset, its shapes, its meaning."""
    layouts = [layout_of(ruleset(name)) for name in RULESETS]
    yield f"| plane | {' | '.join(f'in `{name}`' for name in RULESETS)} | values |"
    yield "| --- " * (len(RULESETS) + 2) + "|"
    for name, plane in layouts[-1].planes.items():
        cells = [
            f"{layout.planes[name].offset}: {' x '.join(map(str, layout.planes[name].shape))}"
            if name in layout.planes
            else ""
            for layout in layouts
        ]
        yield f"| `{name}` | {' | '.join(cells)} | {plane.meaning} |"
    yield f"| length | {' | '.join(str(layout.length) for layout in layouts)} | |"


def main(arguments: list[str]) -> int:
    text = PAGE.read_text("utf-8")
    wanted = MARKER.sub(lambda found: found[1] + "\n".join(planes()) + "\n" + found[2], text)
    if arguments == ["--check"]:
        if text != wanted:
            print(f"{PAGE} is not current: run python tools/rl_docs.py")
        return int(text != wanted)
    PAGE.write_text(wanted, "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
