"""Packages of bquant import what python/bquant/layers.txt lets them import, and each arrow there is
one that an import needs."""

import ast
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2] / "python" / "bquant"


def read_layers():
    lines = (ROOT / "layers.txt").read_text().splitlines()
    rows = (line.partition(":") for line in lines if not line.startswith("#"))
    return {name: below.split() for name, _, below in rows}


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


def test_layers():
    layers, errors, used = read_layers(), [], set()
    order = list(layers)
    for unit, below in layers.items():
        late = [other for other in below if other not in order[: order.index(unit)]]
        errors += [f"layers.txt: {unit}: expected '{other}' before it" for other in late]
    for file in sorted(ROOT.rglob("*.py")):
        parts = file.relative_to(ROOT).with_suffix("").parts
        unit = unit_of(parts[:-1] if parts[-1] == "__init__" else parts)
        if unit not in layers:
            errors.append(f"{file}: expected a line '{unit}: ...' in layers.txt")
            continue
        for line, target in imports(file.read_text(), file):
            other = unit_of(target)
            if other in (unit, "_bquant"):
                continue
            used.add((unit, other))
            if other not in layers[unit]:
                errors.append(f"{file}:{line}: expected no import of '{'.'.join(target)}'")
    arrows = {(unit, other) for unit, below in layers.items() for other in below}
    errors += [f"layers.txt: {unit}: no import needs '{other}'" for unit, other in arrows - used]
    assert not errors


def test_which_imports_count():
    source = (
        "from . import bench\nfrom bquant.study import table2\nimport bquant.train\n"
        "if TYPE_CHECKING:\n    from .demo import page\n"
    )
    file = ROOT / "sample.py"
    found = {unit_of(target) for _, target in imports(source, file)}
    assert found == {"bench", "study", "train"}
