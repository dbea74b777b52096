"""Packages of bquant import what python/bquant/layers.txt lets them import, and each arrow there is
one that an import needs."""

import ast
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2] / "python" / "bquant"
sys.path.append(str(ROOT.parents[1] / "test" / "Integration"))
import layers  # noqa: E402


def unit_of(parts):
    """The row of a module: its first package, or a frontend."""
    if parts[:1] == ("frontends",) and len(parts) > 1 and (ROOT.joinpath(*parts[:2])).is_dir():
        return "/".join(parts[:2])
    return parts[0] if parts else "."


def is_module(parts):
    path = ROOT.joinpath(*parts)
    return path.is_dir() or path.with_suffix(".py").is_file() or parts == ("_bquant",)


def imports(source, file):
    """(line, module by its parts after bquant), but for those for types alone."""
    package = file.relative_to(ROOT).parts[:-1]
    pending = list(ast.parse(source).body)
    while pending:
        node = pending.pop()
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            pending += node.orelse
            continue
        pending += ast.iter_child_nodes(node)
        if isinstance(node, ast.ImportFrom):
            if node.level:
                base = package[: len(package) - node.level + 1]
            elif node.module.split(".")[0] == "bquant":
                base = ()
            else:
                continue
            names = (node.module or "").split(".") if node.module else []
            base += tuple(names if node.level else names[1:])
            for alias in node.names:
                parts = (*base, alias.name)
                yield node.lineno, parts if is_module(parts) else base
        elif isinstance(node, ast.Import):
            for alias in node.names:
                if alias.name.split(".")[0] == "bquant":
                    yield node.lineno, tuple(alias.name.split(".")[1:])


def sources():
    for file in sorted(ROOT.rglob("*.py")):
        parts = file.relative_to(ROOT).with_suffix("").parts
        taken = (
            (line, unit_of(target), f"import of '{'.'.join(target)}'")
            for line, target in imports(file.read_text(), file)
            if target != ("_bquant",)
        )
        yield file, unit_of(parts[:-1] if parts[-1] == "__init__" else parts), taken


def test_layers():
    errors, _ = layers.check(ROOT.parents[1], "python/bquant/layers.txt", sources())
    assert not errors


def test_which_imports_count():
    source = (
        "from . import bench\nfrom bquant.study import table2\nimport bquant.train\n"
        "if TYPE_CHECKING:\n    from .demo import page\n"
    )
    file = ROOT / "sample.py"
    found = {unit_of(target) for _, target in imports(source, file)}
    assert found == {"bench", "study", "train"}
