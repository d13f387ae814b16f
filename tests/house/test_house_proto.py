"""The wire contract: lint, no breaking change, generated code that belongs to its source."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PROTO = ROOT / "proto"


def buf(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Runs the buf of the environment that runs the tests."""
    return subprocess.run(
        [Path(sys.executable).parent / "buf", *arguments],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_contract_is_lint_clean() -> None:
    done = buf("lint")
    assert done.returncode == 0, done.stdout


def test_the_contract_only_grew_since_the_committed_image() -> None:
    done = buf("breaking", "--against", "proto/image.binpb")
    assert done.returncode == 0, done.stdout


def test_a_removed_field_counts_as_breaking(tmp_path: Path) -> None:
    target = tmp_path / "proto" / "targi" / "v1"
    target.mkdir(parents=True)
    for source in (PROTO / "targi" / "v1").glob("*.proto"):
        text = source.read_text()
        (target / source.name).write_text(text.replace("  string bot_version = 4;\n", "", 1))
    (tmp_path / "buf.yaml").write_text((ROOT / "buf.yaml").read_text())
    done = subprocess.run(
        [Path(sys.executable).parent / "buf", "breaking", "--against", PROTO / "image.binpb"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode != 0
    assert "bot_version" in done.stdout


@pytest.mark.full
def test_generated_code_equals_a_fresh_generation(tmp_path: Path) -> None:
    subprocess.run([sys.executable, ROOT / "tools" / "generate_proto.py", tmp_path], check=True)
    fresh = {path.name: path.read_bytes() for path in (tmp_path / "targi" / "v1").iterdir()}
    committed = {path.name: path.read_bytes() for path in (PROTO / "targi" / "v1").glob("*_pb2*")}
    assert fresh == committed
