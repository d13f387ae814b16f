"""Imports point one way, and a third-party library has one home."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

PACKAGES = {
    "targi_engine": ROOT / "engine" / "targi_engine",
    "targi_sdk": ROOT / "sdk" / "targi_sdk",
    "targi_bots": ROOT / "bots" / "targi_bots",
    "targi_server": ROOT / "server" / "targi_server",
}

# What a package may import of the project itself. A name with a dot allows that module only.
ALLOWED = {
    "targi_engine": {"targi_engine"},
    "targi_sdk": {"targi_sdk", "targi_engine", "targi"},
    "targi_bots": {"targi_bots", "targi_engine", "targi_sdk"},
    "targi_server": {
        "targi_server",
        "targi_engine",
        "targi",
        "targi_sdk.printable",
        "targi_sdk.wire",
        "targi_sdk.svg",
    },
}

# Where a library may be imported, as prefixes of paths from the root.
HOMES = {
    "redis": ("server/targi_server/store/",),
    "prometheus_client": ("server/targi_server/metrics.py",),
    "scipy": ("server/targi_server/ladder/rating.py",),
    "numpy": ("server/targi_server/ladder/rating.py", "sdk/targi_sdk/rl/"),
    "gymnasium": ("sdk/targi_sdk/rl/",),
    "pettingzoo": ("sdk/targi_sdk/rl/",),
    "pyarrow": ("sdk/targi_sdk/arena/parquet.py",),
    "starlette": ("server/targi_server/http/",),
    "uvicorn": ("server/targi_server/http/",),
    "uvloop": ("server/targi_server/worker.py",),
    "rich": ("sdk/targi_sdk/", "server/targi_server/commands/"),
    "grpc": (
        "sdk/targi_sdk/client/",
        "sdk/targi_sdk/commands/",
        "server/targi_server/rpc/",
        "server/targi_server/errors.py",
        "server/targi_server/commands/client.py",
    ),
}

STANDARD_LIBRARY_ONLY = ("targi_engine",)
FORBIDDEN_IN_ENGINE = {"time", "datetime", "socket", "threading", "asyncio", "subprocess", "secrets", "i64"}


def sources() -> Iterator[tuple[str, Path]]:
    for package, folder in PACKAGES.items():
        for path in sorted(folder.rglob("*.py")):
            yield package, path


def imported(path: Path) -> Iterator[str]:
    """Every absolute module name that a file imports, `from` names joined where they may be modules."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def is_allowed(name: str, allowed: set[str]) -> bool:
    return any(name == entry or name.startswith(entry + ".") for entry in allowed)


def violations(package: str, path: Path) -> list[str]:
    """Imports of project packages that the layout does not allow."""
    own = [name for name in imported(path) if name.split(".")[0] in {*PACKAGES, "targi"}]
    good = [name for name in own if is_allowed(name, ALLOWED[package])]
    # `from targi_sdk import wire` names the package too; it is covered by the module that it leads to.
    covered = {name.rpartition(".")[0] for name in good}
    return [name for name in own if name not in good and name not in covered]


@pytest.mark.parametrize("package", PACKAGES)
def test_imports_point_one_way(package: str) -> None:
    found = {
        str(path.relative_to(ROOT)): bad
        for name, path in sources()
        if name == package and (bad := violations(name, path))
    }
    assert not found


@pytest.mark.parametrize("library", HOMES)
def test_a_library_has_one_home(library: str) -> None:
    outside = {
        str(path.relative_to(ROOT))
        for _, path in sources()
        if any(name.split(".")[0] == library for name in imported(path))
        and not str(path.relative_to(ROOT)).startswith(HOMES[library])
    }
    assert not outside


def test_the_engine_needs_no_clock_no_io_and_no_other_package() -> None:
    for package, path in sources():
        if package in STANDARD_LIBRARY_ONLY:
            assert not FORBIDDEN_IN_ENGINE & {name.split(".")[0] for name in imported(path)}, path


def test_the_checker_sees_a_wrong_import(tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.py"
    wrong.write_text("from targi_sdk import wire\nfrom targi_sdk.client import run\nimport targi_bots\n")
    assert violations("targi_server", wrong) == ["targi_sdk.client", "targi_sdk.client.run", "targi_bots"]
