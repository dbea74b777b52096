"""Compares an installed tree with what it should have: installed.py PREFIX SOURCE BUILD."""

import re
import sys
from pathlib import Path

prefix, source, build = map(Path, sys.argv[1:])
docs = "share/doc/BQuant"
DOCS = ["LICENSE", "NOTICE", "README.md", "CHANGELOG.md", "CONTRIBUTING.md"]


def found(root, *patterns):
    return {path.relative_to(root) for pattern in patterns for path in root.glob(pattern)}


def under(directory, paths):
    return {str(directory / path) for path in paths}


tools = [f"bquant-{name}" for name in ("bench", "compile", "lsp-server", "opt", "reduce", "run")]
archives = {
    name[1]
    for path in (source / "lib").rglob("CMakeLists.txt")
    if (name := re.match(r"(?:#.*\n)*bquant_add_library\((\w+)", path.read_text()))
} | {"BQuantInit", "BQuantBench", "BQuantEmission", "BQuantTarget"}
shared = ["BQuantPlugin.so", *("libBQuantC.so" + version for version in ("", ".0", ".0.1.0"))]
triples = ("x86_64-linux-gnu", "aarch64-linux-gnu")
package = ["Config", "ConfigVersion", "Targets", "Targets-release"]
expected = (
    under(Path("bin"), tools)
    | under(Path("share/bquant"), found(source / "tools/bquant-reduce", "testers/*.sh"))
    | under(Path("lib"), shared)
    | under(Path("lib"), [f"lib{name}.a" for name in archives])
    | under(Path("lib/bquant"), [f"runtime-{triple}.bc" for triple in triples])
    | under(Path("lib/cmake/BQuant"), [f"BQuant{name}.cmake" for name in package])
    | under(Path("include"), found(source / "include", "**/*.h", "**/*.td"))
    | under(Path("include"), found(build / "include", "**/*.inc", "**/*.h"))
    | under(Path(docs), DOCS)
    | under(Path(docs), found(source, "docs/*.md", "docs/*.svg", "examples/*.mlir"))
    | under(Path(docs), found(source, "docs/results/*.csv", "docs/results/*.png"))
)
# Directories too, where they are empty.
actual = {
    str(path.relative_to(prefix))
    for path in prefix.rglob("*")
    if not path.is_dir() or not any(path.iterdir())
}
for path in sorted(expected - actual):
    print("missing:", path)
for path in sorted(actual - expected):
    print("unexpected:", path)
for page in sorted((prefix / docs).rglob("*.md")):
    for link in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text()):
        if not (page.parent / link).exists():
            print(f"broken link in {page.relative_to(prefix)}: {link}")
print(f"{len(actual & expected)} of {len(expected)} files")
