"""CSV files."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Sequence
from pathlib import Path

from ..train.files import write_whole


def read(path: Path) -> list[dict]:
    """The rows, as texts; none where there is no file."""
    if not path.exists():
        return []
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


def write(path: Path, columns: Sequence[str], rows: Iterable[dict]) -> None:
    def fill(part: Path) -> None:
        with open(part, "w", newline="") as file:
            writer = csv.DictWriter(file, columns, restval="", lineterminator="\n")
            writer.writeheader()
            writer.writerows({key: _text(value) for key, value in row.items()} for row in rows)

    write_whole(path, fill)


def append(path: Path, columns: Sequence[str], row: dict) -> None:
    write(path, columns, [*read(path), row])


def _text(value):
    return f"{value:.6g}" if isinstance(value, float) else value
