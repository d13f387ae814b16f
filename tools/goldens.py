"""Writes the golden playthroughs and the perft counts of the engine's tests anew.

`git diff` then shows what a change of the engine changes in play.

python tools/goldens.py
"""

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
GOLDENS = ROOT / "tests" / "engine" / "goldens"
sys.path.insert(0, str(ROOT / "tests" / "support"))

import perft_counts  # noqa: E402 - it lies with what the tests share
from playthrough_rounds import ALL_PLAYTHROUGHS  # noqa: E402


def main() -> int:
    wanted = {f"{game.name}.txt": game.text() for game in ALL_PLAYTHROUGHS}
    for path in GOLDENS.glob("*.txt"):
        if path.name not in wanted:
            path.unlink()
    for name, text in wanted.items():
        (GOLDENS / name).write_text(text)
        print(f"{name}: {text.count(chr(10))} lines")
    perft_counts.FILE.write_text(perft_counts.written())
    return 0


if __name__ == "__main__":
    sys.exit(main())
