"""`targi version`: versions of the package, the rules and the vocabulary, and the form of the engine."""

from __future__ import annotations

import argparse
import platform
from importlib.metadata import version
from types import FunctionType

import targi_engine

from targi_sdk.console import Console, add_output_arguments

__all__ = ["COMMAND", "VersionCommand"]


class VersionCommand:
    """`targi version`."""

    name = "version"
    help = "show versions, and whether the engine is compiled"

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        add_output_arguments(parser)

    def run(self, args: argparse.Namespace) -> int:
        console = Console.of(args)
        versions = _versions()
        console.line(
            f"targi {versions['targi']} (rules {versions['rules']}, vocabulary {versions['vocabulary']}, "
            f"{versions['engine']} engine, Python {versions['python']})"
        )
        console.document(versions)
        return 0


def _versions() -> dict[str, str | int]:
    """`engine` is the form: "pure", or "compiled" by mypyc."""
    pure = isinstance(targi_engine.State.apply, FunctionType)
    return {
        "targi": version("targi"),
        "rules": targi_engine.RULES,
        "vocabulary": targi_engine.VOCABULARY,
        "engine": "pure" if pure else "compiled",
        "python": platform.python_version(),
    }


COMMAND = VersionCommand()
