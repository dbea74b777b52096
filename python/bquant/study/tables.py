"""CSV files."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Sequence
from pathlib import Path

from ..train.files import write_whole


def read(path: Path) -> list[dict]:
    """The rows, as texts; none where there is no file. ValueError, with the path, where a row has
    more or fewer cells than the first."""
    if not path.exists():
        return []
    try:
        with open(path, newline="", encoding="utf-8") as file:
            columns, *rows = csv.reader(file)
    except (csv.Error, UnicodeDecodeError, ValueError) as error:  # no row at all
        raise ValueError(f"{path}: expected a table, but {error}") from None
    for i, row in enumerate(rows):
        if len(row) != len(columns):
            raise ValueError(
                f"{path}: expected {len(columns)} cells in row {i + 1}, but got {len(row)}"
            )
    return [dict(zip(columns, row, strict=True)) for row in rows]


def write(path: Path, columns: Sequence[str], rows: Iterable[dict]) -> None:
    def fill(part: Path) -> None:
        with open(part, "w", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, columns, restval="", lineterminator="\n")
            writer.writeheader()
            writer.writerows({key: _text(value) for key, value in row.items()} for row in rows)

    write_whole(path, fill)


def append(path: Path, columns: Sequence[str], row: dict) -> None:
    write(path, columns, [*read(path), row])


def _text(value):
    return f"{value:.6g}" if isinstance(value, float) else value
