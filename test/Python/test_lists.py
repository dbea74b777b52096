"""Options and what they take: what help, pages and docstrings list is what the compiler has."""

import inspect
import re
import subprocess
import sys
from pathlib import Path

import bquant
import pytest
from bquant import _bquant
from bquant.nn.quantizer import Quantizer

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

OPTIONS = ("strategy", "float-precision", "assume", "emit", "stop-after")
VALUES = {option: _bquant.option_values(option) for option in OPTIONS}
STRATEGIES, STAGES = VALUES["strategy"], VALUES["stop-after"]
# Kernels that are no strategies, which a list may name beside these.
OTHERS = ["wide-bytes", "fma", "sum_table", "bf16", "octets", "depthwise"]
IN_PLACE = "reference-loops"  # of pack, tile and vectorize
# A number of planes stands as k in them.
SCHEMES = list(dict.fromkeys(re.sub(r"\d$", "k", s) for s in _bquant.option_values("scheme")))

ATTRIBUTES = (ROOT / "include/bquant/Dialect/Packed/IR/PackedAttrs.td").read_text()
LAYOUTS = re.findall(r'let mnemonic = "layout\.(\w+)"', ATTRIBUTES)

BIN = ROOT / "build" / "bin"
TOOLS = ("bquant-compile", "bquant-run", "bquant-bench")


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


def help_of(*command):
    """What each option says of itself, by its name, on one line."""
    run = subprocess.run([*command, "--help"], stdout=subprocess.PIPE, text=True, check=True)
    texts = re.split(r"^  (?:-\w, )?--?([\w-]+)", run.stdout, flags=re.M)[1:]
    return {
        name: " ".join(text.split()) for name, text in zip(texts[::2], texts[1::2], strict=True)
    }


def test_what_there_is():
    assert STRATEGIES[0] == "auto" and STRATEGIES[-1] == "reference" and len(STRATEGIES) > 4
    assert STAGES[0] == "import" and STAGES[-1] == "llvm" and len(STAGES) > 7
    assert len(LAYOUTS) > 4 and len(SCHEMES) > 8 and all(VALUES.values())
    with pytest.raises(ValueError, match="expected an option that takes names, but got threads"):
        _bquant.option_values("threads")


def test_lists_of_strategies():
    kernels, found = set(STRATEGIES) - {"auto", "reference"}, 0
    for file, names in runs([*STRATEGIES, *OTHERS]):
        if len(kernels.intersection(names)) > 2:
            assert kernels <= set(names), f"{file}: {', '.join(names)}"
            found += 1
    assert found > 2


def test_lists_of_stages():
    reference = [s for s in STAGES if s not in ("pack", "tile", "vectorize")]
    found = 0
    for file, names in runs([*STAGES, IN_PLACE]):
        if len(set(names)) > 3:
            right = [*reference[:-1], IN_PLACE, "llvm"] if IN_PLACE in names else STAGES
            assert names == right, f"{file}: {', '.join(names)}"
            found += 1
    assert found > 1


def test_lists_of_assumptions():
    found = 0
    for file, names in runs(VALUES["assume"]):
        if len(set(names)) > 2:
            assert set(names) == set(VALUES["assume"]), f"{file}: {', '.join(names)}"
            found += 1
    assert found


def test_layouts():
    text = (ROOT / "docs" / "route.md").read_text()
    assert all(f"`{layout}`" in text for layout in LAYOUTS)


def test_schemes():
    """On their page, in docstrings, and in what says that there is no such scheme."""
    page = (ROOT / "docs" / "schemes.md").read_text()
    quantize, quantizer = (" ".join(x.__doc__.split()) for x in (bquant.quantize, Quantizer))
    for scheme in SCHEMES:
        first, last = scheme.replace("k", "1"), scheme.replace("k", "8")
        named = f'"{first}" to "{last}"' if first != last else f'"{scheme}"'
        given = scheme.startswith("given-")
        assert f"`{scheme.removesuffix('-k') if given else scheme}`" in page or scheme == "given-T"
        assert named in quantize or scheme == "given-k"
        assert named in quantizer or given or scheme.startswith("dorefa-w")
    with pytest.raises(ValueError) as refused:
        _bquant.scheme_info("none")
    names = re.search(r"of (.*) with k from 1 to 8", str(refused.value))[1]
    assert re.split(", | or ", names) == SCHEMES
    with pytest.raises(ValueError) as refused:
        bquant.quantize([1.0], "none")
    assert set(SCHEMES) <= set(re.split(r",? (?:or )?", str(refused.value)))


def test_docstring_of_compile():
    """It names all that an option takes."""
    text = inspect.getdoc(bquant.compile)
    for option in ("strategy", "float-precision", "assume"):
        paragraph = re.search(
            rf"^    {option.replace('-', '_')}: .*?(?=^    \w|\Z)", text, re.M | re.S
        )
        for value in VALUES[option]:
            assert f'"{value}"' in paragraph[0], f"{option}: {value}"


@pytest.mark.parametrize("tool", TOOLS)
def test_help_of_tools(tool):
    texts = help_of(BIN / tool)
    for option in OPTIONS if tool == "bquant-compile" else OPTIONS[:3]:
        known = re.findall(r" =([\w-]+) +-", texts[option])
        assert known == VALUES[option] or ", ".join(VALUES[option]) in texts[option]


def test_help_of_the_command():
    texts = help_of(sys.executable, "-m", "bquant", "compile")
    for option in OPTIONS:
        assert re.search(",[ ]?".join(VALUES[option]), texts[option]), option


def test_options_are_the_same_everywhere():
    """The tools, the command, C and Python."""
    helps = [help_of(BIN / tool) for tool in TOOLS]
    said = [dict.fromkeys(texts) for texts in helps]
    common = [name for name in said[0] if all(name in texts for texts in said)]
    how = [name for name in common if not name.startswith(("help", "version"))]
    assert len(how) == 9
    for name in how:
        assert len({texts[name] for texts in helps}) == 1, name
    own = {*helps[0]} - {*help_of(sys.executable, "-m", "bquant", "compile")}
    assert own == {"help-list", "version"}
    members = (ROOT / "include/bquant-c/BQuant.h").read_text()
    members = re.search(r"struct BQuantCompileOptions \{.*?\}", members, re.S)[0].lower()
    keywords = inspect.signature(bquant.compile).parameters
    assert keywords.keys() >= inspect.signature(bquant.lower).parameters.keys() - {
        "stage",
        "large_constants",
    }
    for name in how:
        assert re.search(rf"[ *]{name.replace('-', '')};", members), name
        if name != "target-cpu":  # with the triple it is one keyword, target
            assert name.replace("-", "_") in keywords
