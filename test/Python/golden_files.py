"""What the scripts behind `./dev fixtures` recorded of other programs, in golden/*.npz."""

from pathlib import Path

import numpy as np

GOLDEN = Path(__file__).parent / "golden"


def cases(archive):
    """NAME: the model's bytes, its inputs, the outputs of the program that made it."""
    found = {}
    with np.load(GOLDEN / archive) as arrays:
        for key in arrays:
            name, part = key.split("/")
            found.setdefault(name, {})[part] = arrays[key]
    return {
        name: (parts["model"].tobytes(), _numbered(parts, "x"), _numbered(parts, "y"))
        for name, parts in found.items()
    }


def _numbered(parts, letter):
    return [parts[f"{letter}{i}"] for i in range(sum(key[0] == letter for key in parts))]
