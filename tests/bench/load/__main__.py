"""`python tests/bench/load --help`."""

import sys
from pathlib import Path

# Run by the name of its directory, that is what is searched for modules: the two above it are meant.
TESTS = Path(__file__).resolve().parents[2]
sys.path[:1] = [str(TESTS / "bench"), str(TESTS / "support")]

from load.command import main  # noqa: E402

if __name__ == "__main__":
    sys.exit(main())
