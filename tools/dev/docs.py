"""`./dev docs`: the references out of ODS, the IR of each stage, then a check of all links.

Every dialect and every file of passes gets one page in docs/reference/; the
blocks of docs/architecture.md are written by stages.py, docs/schemes.svg by
scheme_figure.py. A link to a file that is not there, or to a heading that its page
lacks, is an error.
"""

import re
import subprocess
import sys
from pathlib import Path

import scheme_figure
import stages

ROOT = Path(__file__).resolve().parents[2]
REFERENCE = ROOT / "docs" / "reference"
TBLGEN = "mlir-tblgen-22"
MLIR_INCLUDE = "/usr/lib/llvm-22/include"


def generate(page: str, td: Path, *flags: str, title: str = "") -> None:
    out = REFERENCE / f"{page}.md"
    command = [TBLGEN, *flags, f"-I{ROOT / 'include'}", f"-I{MLIR_INCLUDE}", str(td)]
    text = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
    text = title + text.replace("[TOC]\n\n", "")  # only LLVM's own site expands that
    out.write_text(text)
    print(f"{out.relative_to(ROOT)}: {text.count(chr(10))} lines")


def generate_references() -> None:
    REFERENCE.mkdir(parents=True, exist_ok=True)
    include = ROOT / "include" / "bquant"
    dialects = include / "Dialect"
    ops = dialects / "BQuant" / "IR" / "BQuantOps.td"
    generate("dialect", ops, "-gen-dialect-doc", "-dialect=bquant")
    ops = dialects / "Packed" / "IR" / "PackedOps.td"
    generate("dialect-packed", ops, "-gen-dialect-doc", "-dialect=bquant_packed")
    for folder in sorted(path.parent for path in include.rglob("Passes.h")):
        td = folder / "Passes.td"
        # Dialect/BQuant/Transforms -> bquant-transforms, Conversion -> conversion
        name = " ".join(part for part in td.parent.relative_to(include).parts if part != "Dialect")
        page = f"passes-{name.lower().replace(' ', '-')}"
        generate(page, td, "-gen-pass-doc", title=f"# Passes: {name}\n\n")


def anchors(page: Path) -> set[str]:
    """The anchors a renderer gives to the headings of a page."""
    found = set()
    for heading in re.findall(r"^#+ +(.*)$", page.read_text(), re.M):
        slug = re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")
        found.add(slug)
    return found


def broken_links(page: Path) -> list[str]:
    text = re.sub(r"```.*?```", "", page.read_text(), flags=re.S)
    broken = []
    for target in re.findall(r"\]\(([^)\s]+)\)|src=\"([^\"]+)\"", text):
        link = "".join(target)
        if re.match(r"[a-z]+:", link):
            continue
        path, _, anchor = link.partition("#")
        file = (page.parent / path) if path else page
        if not file.exists() or (anchor and anchor not in anchors(file)):
            broken.append(f"{page.relative_to(ROOT)}: expected a link to something, but got {link}")
    return broken


def main() -> int:
    generate_references()
    scheme_figure.write()
    stages.write(str(ROOT / "build" / "bin" / "bquant-opt"))
    pages = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]
    broken = [line for page in pages for line in broken_links(page)]
    print("\n".join(broken) or f"links of {len(pages)} pages: all resolve")
    return 1 if broken else 0


sys.exit(main())
