"""What `./dev package` makes: two Debian packages and an archive, in a clean root each."""

import io
import os
import re
import subprocess
import tarfile
from pathlib import Path

import bquant
import numpy as np
import pytest
from clean_roots import ROOT, CleanRoot

DIST = ROOT / "dist"
EXAMPLE = ROOT / "examples" / "layer.mlir"
RUN = "bquant-compile layer.mlir -o layer.so && bquant-run layer.so --input x.npy --output y.npy"


def made(pattern: str) -> Path:
    """The one file in dist/ that matches, of this version."""
    found = sorted(DIST.glob(pattern))
    if not found and not os.environ.get("BQUANT_REQUIRE_PACKAGES"):
        pytest.skip(f"expected {pattern} in dist/ (./dev package makes it)")
    assert len(found) == 1, f"{pattern}: {found}"
    assert bquant.__version__ in found[0].name
    return found[0]


def debs() -> tuple[Path, Path]:
    return made("bquant_*_amd64.deb"), made("bquant-dev_*_amd64.deb")


def field(package: Path, name: str) -> str:
    command = ["dpkg-deb", "--field", str(package), name]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


def contents(package: Path) -> set[str]:
    command = ["dpkg-deb", "--fsys-tarfile", str(package)]
    archive = subprocess.run(command, capture_output=True, check=True).stdout
    with tarfile.open(fileobj=io.BytesIO(archive)) as tar:
        return {member.name.removeprefix("./") for member in tar if not member.isdir()}


def compile_and_run(root: CleanRoot) -> None:
    """The example by the tools in the root, whose results are those of the package here."""
    root.copy(EXAMPLE, "/project/layer.mlir")
    x = np.random.default_rng(0).standard_normal((1, 56, 56, 64), np.float32)
    np.save(root.path / "project" / "x.npy", x)
    root.run(f"cd /project && {RUN}")
    np.testing.assert_array_equal(
        np.load(root.path / "project" / "y.npy"), bquant.compile(EXAMPLE)(x)
    )


def test_which_package_has_what():
    """No file in two of them; of what an installed tree has, none is missing."""
    tools, dev = map(contents, debs())
    assert not tools & dev
    for name in ("bench", "compile", "lsp-server", "opt", "reduce", "run"):
        assert f"usr/bin/bquant-{name}" in tools
    libraries = "usr/lib/x86_64-linux-gnu/"
    assert libraries + "libBQuantC.so.0" in tools
    for name in ("libBQuantC.so", "BQuantPlugin.so", "libBQuantInit.a"):
        assert libraries + name in dev
    assert libraries + "cmake/BQuant/BQuantConfig.cmake" in dev
    assert "usr/include/bquant-c/BQuant.h" in dev
    assert not any(name.startswith(("usr/include", libraries + "cmake")) for name in tools)
    with tarfile.open(made("bquant-*-Linux-x86_64.tar.xz")) as tar:
        whole = {member.name.partition("/")[2] for member in tar if not member.isdir()}
    assert whole == {name.removeprefix("usr/") for name in tools | dev}


def test_the_tools_in_a_clean_root(tmp_path):
    """Of other packages, what the package itself names is enough."""
    package, _ = debs()
    depends = [re.sub(r"\s*\(.*?\)", "", one) for one in field(package, "Depends").split(", ")]
    assert "libmlir-22" in depends and "libllvm22" in depends
    assert not any(name.endswith("-dev") for name in depends)
    root = CleanRoot(tmp_path, depends)
    root.copy(package, "/tmp/bquant.deb")
    root.run("dpkg --install /tmp/bquant.deb")
    compile_and_run(root)
    assert root.run("bquant-opt --version").count(bquant.__version__)


@pytest.mark.nightly
def test_containerfile_and_consumers(tmp_path):
    """The steps of Containerfile in a clean root, then a project in C and C++ that finds nothing
    but what is installed, and the plugin of a stock mlir-opt."""
    root = CleanRoot(tmp_path, [])
    for package in debs():
        root.copy(package, f"/tmp/{package.name}")
    text = (ROOT / "Containerfile").read_text().replace("\\\n", "")
    steps = re.findall(r"^RUN (.*)$", text, re.M)
    assert steps
    for step in steps:
        root.run(step)
    compile_and_run(root)
    root.run("apt-get update && apt-get install -y --no-install-recommends cmake g++ ninja-build")
    root.copy(ROOT / "test" / "Integration" / "Inputs" / "consumer", "/project/consumer")
    root.run(
        "cmake -G Ninja -S /project/consumer -B /project/build && cmake --build /project/build"
    )
    assert "math.ctpop" in root.run("/project/build/compiler /project/layer.mlir")
    assert root.run("/project/build/program").strip() == "2 1"
    plugin = "/usr/lib/x86_64-linux-gnu/BQuantPlugin.so"
    packed = root.run(
        f"mlir-opt-22 --load-dialect-plugin={plugin} --load-pass-plugin={plugin} "
        "/project/layer.mlir "
        "--pass-pipeline='builtin.module(bquant-set-target, bquant-raise-pipeline)'"
    )
    assert "bquant.conv_2d" in packed
