"""What the house tests share: one environment with the compiled wheel, made once a run."""

import sys

import pytest
from wheel_builds import Environment, new_environment, run


@pytest.fixture(scope="session")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> Environment:
    """Source distribution, wheel, environment: as somebody without the repository would install it."""
    folder = tmp_path_factory.mktemp("compiled")
    run(sys.executable, "-m", "hatchling", "build", "-t", "sdist", "-d", folder)
    (source,) = folder.glob("*.tar.gz")
    run(sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "-w", folder, source, TARGI_COMPILE="1")
    (wheel,) = folder.glob("*.whl")
    made = new_environment(folder / "venv")
    made.install(wheel)
    return made
