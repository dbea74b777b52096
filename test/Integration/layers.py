"""Holds every include of lib/ and include/bquant against lib/layers.txt.

A source may include headers of its own folder and of those that its line names.
Prints each include that is not allowed, each folder that has no line, and each
edge that no include needs; then the exit code is 1.
"""

import re
import sys
from pathlib import Path

SOURCES = (".cpp", ".h", ".c")


def read_layers(path):
    """For each unit those below it that it may use."""
    lines = (line.partition(":") for line in path.read_text().splitlines())
    return {unit: below.split() for unit, _, below in lines if unit and unit[0] != "#"}


def check(root, table, sources, links=()):
    """What is wrong, and the edges that are used. `sources`: a file, its unit, and what it takes
    in, (line, unit, text); `links`: units that use others in no source."""
    layers, errors, used = read_layers(root / table), [], set()
    order = list(layers)
    for unit, below in layers.items():
        late = [other for other in below if other not in order[: order.index(unit)]]
        errors += [f"{table}: {unit}: expected '{other}' before it" for other in late]
    for file, unit, taken in sources:
        where = file.relative_to(root)
        if unit not in layers:
            errors.append(f"{where}: expected a line '{unit}: ...' in {table}")
            continue
        for line, other, text in taken:
            if other == unit:
                continue
            used.add((unit, other))
            if other not in layers[unit]:
                errors.append(f"{where}:{line}: expected no {text} ({other})")
    edges = [(u, other) for u, below in layers.items() if u not in links for other in below]
    return errors + [f"{table}: {u}: no use of '{o}'" for u, o in edges if (u, o) not in used], used


def folder_of(path, root):
    """The folder below lib/ or include/bquant/ that a file belongs to."""
    for base in ("lib", "include/bquant"):
        if path.is_relative_to(root / base):
            return str(path.parent.relative_to(root / base))
    return None


def resolve(name, source, root):
    for base in (source.parent, root / "include", root / "lib"):
        if (base / name).is_file():
            return (base / name).resolve()
    # TableGen's output belongs to the folder of its .td.
    if name.endswith(".inc") and (root / "include" / name).parent.is_dir():
        return root / "include" / name
    return None


def includes(file, root):
    for number, line in enumerate(file.read_text().splitlines(), 1):
        match = re.match(r'#include "([^"]+)"', line)
        target = match and resolve(match[1], file, root)
        if other := target and folder_of(target, root):
            yield number, other, f"include of '{match[1]}'"


def main(root):
    files = [
        file
        for base in ("lib", "include/bquant")
        for file in sorted((root / base).rglob("*"))
        if file.suffix in SOURCES and file.name != "pch.h"
    ]
    sources = ((file, folder_of(file, root), includes(file, root)) for file in files)
    errors, used = check(root, "lib/layers.txt", sources, links=["."])
    print(*errors, sep="\n", end="\n" if errors else "")
    print(f"{len(files)} files, {len(used)} edges, {len(errors)} errors")
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parents[2]))
