"""Holds every pass to the rule: definition = file = flag = test. passes.py [ROOT]

A definition `PlanArena` has one file PlanArena.cpp of a pass in lib/, which uses
GEN_PASS_DEF_PLANARENA, the flag --bquant-plan-arena, and in the same folder of
test/ a file plan-arena*.mlir that runs it. A conversion, `ConvertBQuantToPacked`,
has the flag --convert-bquant-to-packed and tests of that name. Prints what is
missing, and each file that implements a pass of another name; then the exit code
is 1.
"""

import re
import sys
from pathlib import Path

ROOT = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parents[2]
DEFINITION = re.compile(r"^def (\w+)\s*:\s*(?:Interface)?Pass<\"([^\"]+)\"", re.M)


def kebab(name):
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "-", name.replace("BQuant", "Bquant")).lower()


def errors_of(name, flag):
    expected = kebab(name) if name.startswith("Convert") else f"bquant-{kebab(name)}"
    if flag != expected:
        yield f"expected the flag --{expected}, but got --{flag}"
    # A solver may have the name of a pass that calls it.
    sources = [
        path
        for path in sorted((ROOT / "lib").rglob(f"{name}.cpp"))
        if "GEN_PASS_DEF_" in path.read_text()
    ]
    if len(sources) != 1:
        yield f"expected one file {name}.cpp in lib/, but got {len(sources)}"
        return
    source = sources[0].relative_to(ROOT / "lib")
    if f"GEN_PASS_DEF_{name.upper()}\n" not in sources[0].read_text():
        yield f"expected GEN_PASS_DEF_{name.upper()} in lib/{source}"
    tests = sorted((ROOT / "test" / source.parent).glob(f"{kebab(name)}*.mlir"))
    runs = (line for test in tests for line in test.read_text().splitlines() if "RUN:" in line)
    if not any(re.search(rf"(?:--|[^\w-]){flag}(?![\w-])", line) for line in runs):
        yield f"expected a test test/{source.parent}/{kebab(name)}*.mlir that runs {flag}"


def main():
    passes = {}
    for td in sorted((ROOT / "include").rglob("*.td")):
        passes.update(DEFINITION.findall(td.read_text()))
    errors = [
        f"{name}: {error}" for name, flag in passes.items() for error in errors_of(name, flag)
    ]
    upper = {name.upper() for name in passes}
    for source in sorted((ROOT / "lib").rglob("*.cpp")):
        for name in re.findall(r"^#define GEN_PASS_DEF_(\w+)$", source.read_text(), re.M):
            if name in upper and name != source.stem.upper():
                errors.append(f"{source.relative_to(ROOT)}: expected its own pass, but got {name}")
    print(*errors, sep="\n", end="\n" if errors else "")
    print(f"{len(passes)} passes, {len(errors)} errors")
    return 1 if errors else 0


sys.exit(main())
