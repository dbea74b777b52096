"""Holds every include of lib/ and include/bquant against lib/layers.txt.

A source may include headers of its own folder and of those that its line names.
Prints each include that is not allowed, each folder that has no line, and each
edge that no include needs; then the exit code is 1.
"""

import re
import sys
from pathlib import Path

ROOT = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parents[2]
SOURCES = (".cpp", ".h", ".c")


def read_layers():
    layers = {}
    for line in (ROOT / "lib" / "layers.txt").read_text().splitlines():
        if line and not line.startswith("#"):
            folder, _, below = line.partition(":")
            layers[folder] = below.split()
    return layers


def folder_of(path):
    """The folder below lib/ or include/bquant/ that a file belongs to."""
    for base in ("lib", "include/bquant"):
        if path.is_relative_to(ROOT / base):
            return str(path.parent.relative_to(ROOT / base))
    return None


def resolve(name, source):
    for base in (source.parent, ROOT / "include", ROOT / "lib"):
        if (base / name).is_file():
            return (base / name).resolve()
    # TableGen's output belongs to the folder of its .td.
    if name.endswith(".inc") and (ROOT / "include" / name).parent.is_dir():
        return ROOT / "include" / name
    return None


def main():
    layers = read_layers()
    errors = []
    order = list(layers)
    for folder, below in layers.items():
        errors += [
            f"lib/layers.txt: {folder}: expected '{other}' before it"
            for other in below
            if other not in order[: order.index(folder)]
        ]
    used = set()
    files = [
        file
        for base in ("lib", "include/bquant")
        for file in sorted((ROOT / base).rglob("*"))
        if file.suffix in SOURCES and file.name != "pch.h"
    ]
    for file in files:
        folder = folder_of(file)
        where = file.relative_to(ROOT)
        if folder not in layers:
            errors.append(f"{where}: expected a line '{folder}: ...' in lib/layers.txt")
            continue
        for number, line in enumerate(file.read_text().splitlines(), 1):
            match = re.match(r'#include "([^"]+)"', line)
            target = match and resolve(match[1], file)
            other = folder_of(target) if target else None
            if other is None or other == folder:
                continue
            used.add((folder, other))
            if other not in layers[folder]:
                errors.append(f"{where}:{number}: expected no include of '{match[1]}' ({other})")
    for folder, below in layers.items():
        errors += [
            f"lib/layers.txt: {folder}: no include needs '{other}'"
            for other in below
            if (folder, other) not in used and folder != "."  # which links all passes
        ]
    print(*errors, sep="\n", end="\n" if errors else "")
    print(f"{len(files)} files, {len(used)} edges, {len(errors)} errors")
    return 1 if errors else 0


sys.exit(main())
