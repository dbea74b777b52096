"""Clean Debian roots, in which nothing of LLVM or of the project is installed.

A root is made once and kept under build/roots; a test works in a copy of its own.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
ROOTS = ROOT / "build" / "roots"
SOURCES = [Path("/etc/apt/sources.list.d/debian.sources"), Path("/etc/apt/sources.list")]


def missing() -> str | None:
    """Why no root can be made on this machine."""
    if shutil.which("mmdebstrap") is None:
        return "expected mmdebstrap to make a clean root (Debian: apt install mmdebstrap)"
    if not any(path.exists() for path in SOURCES):
        return "expected Debian's package sources in /etc/apt to make a clean root"
    if subprocess.run(["unshare", *_namespace(), "true"], capture_output=True).returncode:
        return "expected the right to make a mount namespace for a clean root"
    return None


def _namespace() -> list[str]:
    return ["--mount"] if os.geteuid() == 0 else ["--mount", "--map-root-user"]


class CleanRoot:
    """A copy of a minimal Debian 12 with `packages`, that a test may change."""

    def __init__(self, directory: Path, packages: list[str]):
        if reason := missing():
            if os.environ.get("BQUANT_REQUIRE_PACKAGES"):
                pytest.fail(reason)
            pytest.skip(reason)
        self.path = directory / "root"
        # -a keeps owners and modes; data blocks are shared where the file system can.
        subprocess.run(
            ["cp", "-a", "--reflink=auto", str(_made(packages)), str(self.path)], check=True
        )

    def copy(self, source: Path, target: str) -> None:
        """Into the root; directories whole."""
        path = self.path / target.lstrip("/")
        path.parent.mkdir(parents=True, exist_ok=True)
        (shutil.copytree if source.is_dir() else shutil.copy)(source, path)

    def run(self, script: str, **environment: str) -> str:
        """What a shell prints that runs in the root, with no other environment and nowhere else to
        look."""
        mounts = (
            f"mount --rbind /proc {self.path}/proc && mount --rbind /dev {self.path}/dev && "
            f'cp -L /etc/resolv.conf {self.path}/etc/ && exec chroot {self.path} sh -ec "$0"'
        )
        result = subprocess.run(
            ["unshare", *_namespace(), "sh", "-c", mounts, script],
            env={"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/root", "LC_ALL": "C.UTF-8"}
            | {"DEBIAN_FRONTEND": "noninteractive"}
            | environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
        )
        assert result.returncode == 0, f"{script}\n{result.stdout[-2000:]}\n{result.stderr[-2000:]}"
        return result.stdout


def _made(packages: list[str]) -> Path:
    """The root with these packages, which is made if it is not there."""
    name = hashlib.sha256("\n".join(sorted(packages)).encode()).hexdigest()[:12]
    path = ROOTS / name
    if not path.exists():
        ROOTS.mkdir(parents=True, exist_ok=True)
        unfinished = ROOTS / f"{name}.{os.getpid()}"
        sources = [str(path) for path in SOURCES if path.exists()]
        command = ["mmdebstrap", "--quiet", "--variant=minbase"]
        command += [f"--include={','.join(packages)}"] if packages else []
        subprocess.run([*command, "bookworm", str(unfinished), *sources], check=True)
        unfinished.rename(path)
    return path
