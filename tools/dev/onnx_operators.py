"""docs/onnx-operators.md: the operators of named exports, and what bquant takes of them.

`./dev onnx-operators` runs it behind onnx_exports.py, which has listed them.
"""

from __future__ import annotations

import json
from pathlib import Path

from bquant.frontends.onnx.operators import how

ROOT = Path(__file__).resolve().parents[2]
EXPORTS = ROOT / "test/Python/golden/onnx_exports.json"
PAGE = ROOT / "docs/onnx-operators.md"

HEAD = """# The operators of ONNX models

What the exporters and quantizers of outside libraries write, and whether
[`bquant.compile`](importing.md#onnx) takes it. `./dev onnx-operators` makes this page of models
that it exports; a test fails where less is taken than the page says.

- *yes*: there is a lowering of its own;
- *by others*: ONNX defines it by operators that are taken;
- *of constants*: all exports have it of constants and shapes alone, and it is computed while
  importing;
- *no*: an `UnsupportedOp` that names the node.
"""


def exports() -> dict[str, dict]:
    groups = json.loads(EXPORTS.read_text())
    return {name: found for group in groups.values() for name, found in group.items()}


def uses(made: dict) -> dict[str, list[str]]:
    """For each operator the exports that have it."""
    found = {}
    for name, lists in made.items():
        for op in lists["computed"] + lists["constants"]:
            found.setdefault(op, []).append(name)
    return dict(sorted(found.items(), key=lambda item: ("." in item[0], item[0])))


def taken(made: dict) -> dict[str, str]:
    """For each operator what the page says."""
    computed = {op for lists in made.values() for op in lists["computed"]}
    return {op: how(op, constant=op not in computed) for op in uses(made)}


def page() -> str:
    made = exports()
    lines = [HEAD, "| operator | taken | exports that have it | for example |", "|---|---|---|---|"]
    words = taken(made)
    for op, names in uses(made).items():
        lines.append(f"| `{op}` | {words[op]} | {len(names)} | {names[0]} |")
    lines += ["", "The exports:", "", *(f"- {name}" for name in made)]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    PAGE.write_text(page())
