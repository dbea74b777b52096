"""Holds the paths that the pages name against the tree: paths.py [ROOT].

A path is what stands in backquotes and begins with a directory of the tree, as
in `lib/Quant` or `test/Unit/*.cpp`.
Prints each that is not there, each library in the table of docs/embedding.md
that CMake does not build, and each folder of lib/layers.txt that
docs/architecture.md does not name; then the exit code is 1.
"""

import re
import sys
from pathlib import Path

ROOT = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parents[2]
TOPS = ("cmake", "docs", "examples", "include", "lib", "python", "test", "tools")


def main():
    pages = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]
    errors, paths = [], 0
    for page in pages:
        text = re.sub(r"```.*?```", "", page.read_text(), flags=re.S)
        for path in re.findall(rf"`((?:{'|'.join(TOPS)})/[^`\s]*)`", text):
            paths += 1
            if path != "docs/reference" and not any(ROOT.glob(path.rstrip("/"))):
                errors.append(
                    f"{page.relative_to(ROOT)}: expected a path of the tree, but got {path}"
                )
    cmake = "".join(file.read_text() for file in (ROOT / "lib").rglob("CMakeLists.txt"))
    libraries = set(re.findall(r"add_(?:\w+_)?library\((BQuant\w+)", cmake))
    for row in re.findall(r"^\| (`BQuant.*?) \|", (ROOT / "docs/embedding.md").read_text(), re.M):
        for library in re.findall(r"`(\w+)`", row):
            if library not in libraries:
                errors.append(f"docs/embedding.md: expected a library, but got {library}")
    architecture = (ROOT / "docs" / "architecture.md").read_text()
    for line in (ROOT / "lib" / "layers.txt").read_text().splitlines():
        folder = line.partition(":")[0]
        if folder not in ("", ".") and line[0] != "#" and f"| `lib/{folder}` |" not in architecture:
            errors.append(f"docs/architecture.md: expected a row for lib/{folder}")
    print(*errors, sep="\n", end="\n" if errors else "")
    print(f"{len(pages)} pages, {paths} paths, {len(errors)} errors")
    return 1 if errors else 0


sys.exit(main())
