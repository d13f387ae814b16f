"""Build hook: a wheel carries the engine compiled with mypyc, or as plain Python where that is not possible.

TARGI_COMPILE=0 leaves the engine plain without trying. With TARGI_COMPILE=1 the build fails, and says why,
when the engine cannot be compiled. An editable install is always plain. Nothing is written into the source
tree.
"""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

PACKAGE = "targi_engine"
# -O2 is as fast as -O3 here; group_name gives the one library behind all modules a name for people.
SETUP = f"""\
from mypyc.build import mypycify
from setuptools import setup

modules = mypycify(["--config-file=", "{PACKAGE}"], opt_level="2", debug_level="0", group_name="{PACKAGE}")
setup(name="{PACKAGE}", packages=[], ext_modules=modules)
"""


class CompileError(Exception):
    """The engine could not be compiled; the text says why."""


class CompiledEngine(BuildHookInterface[Any]):  # Any: it asks nothing of the builder's configuration
    """Compiles a copy of the engine and puts the extension modules beside its sources in the wheel."""

    def dependencies(self) -> list[str]:
        return ["mypy>=1.13", "setuptools>=70"] if wanted() != "0" and shutil.which(compiler()) else []

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        self.folder = TemporaryDirectory(prefix="targi-engine-")
        if version == "editable" or wanted() == "0":
            return
        try:
            modules = compiled(Path(self.root, "engine", PACKAGE), Path(self.folder.name))
        except CompileError as error:
            if wanted() == "1":
                raise SystemExit(f"TARGI_COMPILE=1, but the engine cannot be compiled: {error}") from error
            self.app.display_warning(f"The engine stays plain Python, at a fraction of its speed: {error}")
            return
        build_data.update(pure_python=False, infer_tag=True)
        build_data["force_include"].update(modules)

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        self.folder.cleanup()


def wanted() -> str:
    """TARGI_COMPILE: "0", "1", or "" for what is possible."""
    value = os.environ.get("TARGI_COMPILE", "")
    if value not in ("", "0", "1"):
        raise SystemExit(f"TARGI_COMPILE={value}: use 0 (plain Python) or 1 (must compile), or leave it out")
    return value


def compiler() -> str:
    """The program that setuptools will run as the C compiler."""
    return shlex.split(os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc")[0]


def compiled(source: Path, folder: Path) -> dict[str, str]:
    """Compiles a copy of a package; returns the extension modules and their places in the wheel."""
    if not shutil.which(compiler()):
        raise CompileError(f"there is no C compiler {compiler()!r} on the path (CC names another one)")
    shutil.copytree(source, folder / PACKAGE, ignore=shutil.ignore_patterns("__pycache__"))
    command = [sys.executable, "-c", SETUP, "-q", "build_ext", "--inplace"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode:
        raise CompileError(f"mypyc or the C compiler failed:\n{(done.stdout + done.stderr)[-2000:]}")
    modules = folder.rglob(f"*{sysconfig.get_config_var('EXT_SUFFIX')}")
    return {str(path): str(path.relative_to(folder)) for path in modules}
