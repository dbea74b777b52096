"""The IR on docs/architecture.md: what each stage of the route makes of examples/stages.mlir.

`./dev docs` writes the blocks of the page anew. `stages.py BQUANT-OPT` compares them with what
that tool prints: exit code 1, and the difference, where they differ.

A block of the page is a comment that names the stage, and the code below it. The order on
the page is that of the pipelines:

    <!-- after raise -->
    <!-- after vectorize, the first scf.for -->
"""

import difflib
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "architecture.md"
EXAMPLE = ROOT / "examples" / "stages.mlir"
TARGET = "--bquant-set-target=triple=x86_64-linux-gnu chip=znver4"
BLOCK = re.compile(r"(<!-- after (\w+)(?:, the first ([\w.]+))? -->\n```mlir\n)(.*?)(```\n)", re.S)


def run(tool: str, stages: list[str]) -> str:
    """The function that the pipelines of the stages make, and the maps that it names."""
    command = [
        tool,
        str(EXAMPLE),
        TARGET,
        *(f"--bquant-{stage}-pipeline" for stage in stages),
        "--mlir-elide-elementsattrs-if-larger=16",
        "--mlir-elide-resource-strings-if-larger=16",
    ]
    text = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
    maps, body = re.fullmatch(r"(.*?)^module [^\n]*\n(.*?)^}\n.*", text, re.S | re.M).groups()
    return maps + re.sub(r"^  ", "", body, flags=re.M)


def first(op: str, text: str) -> str:
    """The first of the operations of that name, with what is nested in it."""
    found = re.search(rf"^( *)[^\n]*= {re.escape(op)} .*?^\1\}}[^\n]*\n", text, re.S | re.M)
    return re.sub(rf"^{found[1]}", "", found[0], flags=re.M)


def render(page: str, tool: str) -> str:
    stages: list[str] = []

    def block(match: re.Match) -> str:
        stages.append(match[2])
        text = run(tool, stages)
        return match[1] + (first(match[3], text) if match[3] else text) + match[5]

    return BLOCK.sub(block, page)


def write(tool: str) -> None:
    PAGE.write_text(render(PAGE.read_text(), tool))


def main() -> int:
    page = PAGE.read_text()
    rendered = render(page, sys.argv[1])
    names = (f"{PAGE.name}, as it is", f"{PAGE.name}, as ./dev docs writes it")
    lines = (text.splitlines(keepends=True) for text in (page, rendered))
    sys.stdout.writelines(difflib.unified_diff(*lines, *names))
    blocks = len(BLOCK.findall(page))
    print(f"{blocks} blocks: {'equal' if page == rendered else 'different'}")
    return int(page != rendered)


if __name__ == "__main__":
    sys.exit(main())
