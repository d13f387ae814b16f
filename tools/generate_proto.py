"""Generates the Python code of the wire contract into a directory (default: beside the proto files).

The compiler lives in an environment of its own, `.venv-proto`: code made by a newer grpcio-tools would
force a newer protobuf on every bot author, so its version is fixed here and it never shares the developers'
environment.
"""

import subprocess
import sys
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PROTO = ROOT / "proto"
ENVIRONMENT = ROOT / ".venv-proto"
REQUIREMENTS = ("grpcio-tools==1.72.2", "mypy-protobuf==3.7.0", "setuptools<80")


def compiler() -> Path:
    """The Python of the compiler's environment, which is made if it is not there."""
    python = ENVIRONMENT / "bin" / "python"
    stamp = ENVIRONMENT / ".installed"
    wanted = "\n".join(REQUIREMENTS)
    if not stamp.exists() or stamp.read_text() != wanted:
        venv.create(ENVIRONMENT, with_pip=True, clear=True)
        subprocess.run(
            [python, "-m", "pip", "install", "-q", "--disable-pip-version-check", *REQUIREMENTS], check=True
        )
        stamp.write_text(wanted)
    return python


def generate(target: Path) -> None:
    """Writes `*_pb2.py`, `*_pb2_grpc.py` and their stubs under `target`."""
    python = compiler()
    sources = sorted(str(path.relative_to(PROTO)) for path in PROTO.rglob("*.proto"))
    binaries = python.parent
    subprocess.run(
        [
            python,
            *("-m", "grpc_tools.protoc"),
            f"-I{PROTO}",
            *(f"--{kind}_out={target}" for kind in ("python", "grpc_python", "mypy", "mypy_grpc")),
            f"--plugin=protoc-gen-mypy={binaries / 'protoc-gen-mypy'}",
            f"--plugin=protoc-gen-mypy_grpc={binaries / 'protoc-gen-mypy_grpc'}",
            *sources,
        ],
        check=True,
        stderr=subprocess.DEVNULL,
    )


if __name__ == "__main__":
    generate(Path(sys.argv[1]) if len(sys.argv) > 1 else PROTO)
