"""Wheels of the project, built from the source tree, and environments that hold one and not the source."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
import venv
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import Distribution, distribution, distributions
from pathlib import Path

from packaging.requirements import Requirement

ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True)
class Build:
    """How a build ended: the wheel, None if there is none, and what the build said."""

    wheel: Path | None
    said: str

    def names(self) -> list[str]:
        """The files in the wheel."""
        assert self.wheel is not None, self.said
        with zipfile.ZipFile(self.wheel) as archive:
            return archive.namelist()

    def binaries(self) -> list[str]:
        """The extension modules in the wheel."""
        return [name for name in self.names() if name.endswith((".so", ".pyd"))]


def attempt(*command: str | Path, cwd: Path = ROOT, **settings: str) -> subprocess.CompletedProcess[str]:
    """Runs a command with further environment variables.

    No switch of the build comes from outside, and no setting of Python (PYTHONPATH, PYTHONHOME and the like).
    """
    switches = ("TARGI_COMPILE", "VIRTUAL_ENV", "__PYVENV_LAUNCHER__")
    inherited = {
        name: text
        for name, text in os.environ.items()
        if name not in switches and not name.startswith("PYTHON")
    }
    return subprocess.run(
        command, cwd=cwd, env={**inherited, **settings}, capture_output=True, text=True, check=False
    )


def run(*command: str | Path, cwd: Path = ROOT, **settings: str) -> str:
    """What a command prints; a failure fails the test with all that it said."""
    done = attempt(*command, cwd=cwd, **settings)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def build(folder: Path, target: str = "wheel", source: Path = ROOT, **settings: str) -> Build:
    """Builds a source tree into an empty folder with the tools of this environment."""
    command = (sys.executable, "-m", "hatchling", "build", "-t", target, "-d", str(folder))
    done = attempt(*command, cwd=source, **settings)
    wheels = list(folder.glob("*.whl"))
    assert len(wheels) == (done.returncode == 0), done.stdout + done.stderr
    return Build(wheels[0] if wheels else None, done.stdout + done.stderr)


@dataclass(frozen=True)
class Environment:
    """A virtual environment that holds what was installed into it, and sees no other one."""

    folder: Path

    @property
    def python(self) -> Path:
        return self.folder / "bin" / "python"

    @property
    def packages(self) -> Path:
        """The folder of its packages."""
        (folder,) = self.folder.glob("lib/python*/site-packages")
        return folder

    def install(self, wheel: Path) -> None:
        """Installs a wheel with what it asks for, which is linked from the environment of the tests."""
        pip = (sys.executable, "-m", "pip", "--python", self.python)
        run(*pip, "install", "-q", "--no-deps", "--no-index", wheel)
        (installed,) = distributions(name="targi", path=[str(self.packages)])
        for needed in needed_by(installed):
            link(needed, self.packages)

    def attempt(self, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
        """How its Python ends, outside of the sources."""
        return attempt(self.python, *arguments, cwd=self.folder)

    def run(self, *arguments: str | Path) -> str:
        """What its Python prints, outside of the sources; a failure fails the test."""
        return run(self.python, *arguments, cwd=self.folder)

    def targi(self, *arguments: str | Path) -> str:
        """What its `targi` command prints."""
        return self.run(self.folder / "bin" / "targi", *arguments)

    def run_with_tools(self, *arguments: str | Path) -> str:
        """What its Python prints in the source tree, with the packages of the tests besides its own."""
        # Folders in PYTHONPATH are searched without their .pth files: an editable project stays out.
        return run(self.python, *arguments, PYTHONPATH=sysconfig.get_path("purelib"))


def new_environment(folder: Path) -> Environment:
    """An environment without any package of its own."""
    venv.create(folder, with_pip=False, symlinks=True)
    return Environment(folder)


def needed_by(installed: Distribution) -> list[Distribution]:
    """The packages that one asks for, itself or through others, as the environment of the tests has them."""
    found: dict[str, Distribution] = {}
    open_names = list(required_names(installed))
    while open_names:
        name = open_names.pop()
        if name not in found:
            found[name] = distribution(name)
            open_names += required_names(found[name])
    return list(found.values())


def required_names(installed: Distribution) -> Iterator[str]:
    """What a package asks for here, without its extras."""
    for text in installed.requires or ():
        requirement = Requirement(text)
        if requirement.marker is None or requirement.marker.evaluate({"extra": ""}):
            yield requirement.name


def link(package: Distribution, folder: Path) -> None:
    """Puts links to a package's modules into a folder; its commands stay out."""
    for file in package.files or ():
        if file.parts[0] != ".." and file.suffix != ".pyc":
            target = folder / file
            target.parent.mkdir(parents=True, exist_ok=True)
            target.symlink_to(Path(str(file.locate())).resolve())
