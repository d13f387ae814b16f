"""Stops with words when this Python is too old or too new for the project."""

import sys

if not (3, 11) <= sys.version_info[:2] <= (3, 13):
    sys.exit(
        f"Targi arena needs Python 3.11, 3.12 or 3.13; this is {sys.version.split()[0]} ({sys.executable}). "
        "Name another one: make PYTHON=/path/to/python3.12 ..."
    )
