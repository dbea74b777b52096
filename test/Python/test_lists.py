"""Strategies, stages and layouts: what help, pages and docstrings list is what the sources have."""

import re
from pathlib import Path

import bquant.api
import pytest

ROOT = Path(__file__).resolve().parents[2]
FILES = [
    ROOT / "README.md",
    *sorted((ROOT / "docs").glob("*.md")),
    *sorted((ROOT / "python").rglob("*.py")),
    *(
        file
        for folder in ("include", "lib", "tools", "python/src")
        for suffix in ("*.h", "*.td", "*.cpp")
        for file in sorted((ROOT / folder).rglob(suffix))
    ),
]

KERNELS = (ROOT / "lib" / "Kernels" / "KernelModel.cpp").read_text()
STRATEGIES = re.findall(r'"(\w+)"', re.search(r"getStrategies.*?\{(.*?)\}", KERNELS, re.S)[1])
# Kernels that are no strategies, which a list may name beside these.
OTHERS = ["wide-bytes", "fma", "sum_table", "bf16", "octets", "depthwise"]

PIPELINES = (ROOT / "lib" / "Pipelines" / "Pipelines.cpp").read_text()
STAGES = re.findall(r'\{"([\w-]+)",', re.search(r"kStages.*?\n\};", PIPELINES, re.S)[0])
IN_PLACE = "reference-loops"  # of pack, tile and vectorize

ATTRIBUTES = (ROOT / "include/bquant/Dialect/BQuant/IR/BQuantAttrs.td").read_text()
LAYOUTS = re.findall(
    r'I32EnumCase<"(\w+)"', re.search(r"def BQuant_Layout\b.*?\];", ATTRIBUTES, re.S)[0]
)


def plain(text):
    """On one line, without quotes, comment marks and what stands in parentheses."""
    text = re.sub(r'"\s*\n\s*"', "", text)
    text = re.sub(r"\n[ \t]*(?:\*|//+|#)?[ \t]*", " ", text)
    text = re.sub(r"[`\"'\\|]", "", text)
    return re.sub(r" ?\([^()]*\)", "", text)


def runs(names):
    """Each list of names in a file: `a, b, c or d`, whatever stands before and after it."""
    name = rf"(?<![\w-])(?:{'|'.join(sorted(names, key=len, reverse=True))})(?![\w-])"
    for file in FILES:
        for run in re.finditer(rf"{name}(?:(?:,|,? or|,? and) {name})+", plain(file.read_text())):
            yield file.relative_to(ROOT), re.findall(name, run[0])


def test_what_the_sources_have():
    assert STRATEGIES[0] == "auto" and STRATEGIES[-1] == "reference" and len(STRATEGIES) > 4
    assert tuple(STRATEGIES) == bquant.api.STRATEGIES
    assert STAGES[0] == "import" and STAGES[-1] == "llvm" and len(STAGES) > 7
    assert IN_PLACE in PIPELINES and len(LAYOUTS) > 4


def test_lists_of_strategies():
    kernels, found = set(STRATEGIES) - {"auto", "reference"}, 0
    for file, names in runs([*STRATEGIES, *OTHERS]):
        if len(kernels.intersection(names)) > 2:
            assert kernels <= set(names), f"{file}: {', '.join(names)}"
            found += 1
    assert found > 5


def test_lists_of_stages():
    reference = [s for s in STAGES if s not in ("pack", "tile", "vectorize")]
    found = 0
    for file, names in runs([*STAGES, IN_PLACE]):
        if len(set(names)) > 3:
            right = [*reference[:-1], IN_PLACE, "llvm"] if IN_PLACE in names else STAGES
            assert names == right, f"{file}: {', '.join(names)}"
            found += 1
    assert found > 3


@pytest.mark.parametrize("page", ["glossary.md", "route.md", "architecture.md"])
def test_layouts(page):
    text = (ROOT / "docs" / page).read_text()
    assert all(f"`{layout}`" in text for layout in LAYOUTS)
