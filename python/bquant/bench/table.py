"""Rows as text: a table for each set and number of threads."""

from __future__ import annotations

from .results import TIMED, Results, Row, fastest_peer


def time_text(seconds: float) -> str:
    return f"{1e3 * seconds:.2f} ms" if seconds >= 1e-3 else f"{1e6 * seconds:.1f} µs"


def case_text(row: Row) -> str:
    """A set of one group is named as it."""
    return ": ".join(part for part in (row.group, row.case) if part and part != row.set)


def ratio_text(rows: list[Row], row: Row) -> str:
    """How many times as fast as the fastest peer of its group."""
    peer = fastest_peer(rows, row)
    if row.engine != "bquant" or row.status != TIMED or peer is None:
        return ""
    return f"{peer.seconds_median / row.seconds_median:.2f} x {peer.label}"


HEAD = ("case", "engine", "time", "of the limit", "error", "to the fastest peer")
NUMBERS = (2, 3, 4)  # columns


def cells(rows: list[Row], row: Row) -> tuple[str, ...]:
    time = time_text(row.seconds_median) if row.status == TIMED else row.status
    return (
        case_text(row),
        row.label,
        time,
        f"{row.of_limit:.2f}" if row.of_limit is not None else "",
        f"{row.error:.1e}" if row.error is not None else "",
        ratio_text(rows, row),
    )


def text(results: Results) -> str:
    """All tables; below each why a row has no time."""
    parts = []
    for key in dict.fromkeys((row.set, row.threads) for row in results.rows):
        rows = [row for row in results.rows if (row.set, row.threads) == key]
        table = [HEAD, *(cells(results.rows, row) for row in rows)]
        widths = [max(map(len, column)) for column in zip(*table, strict=True)]
        lines = [f"{key[0]}, {key[1]} thread{'s' if key[1] > 1 else ''}"]
        for line in table:
            padded = [
                cell.rjust(w) if i in NUMBERS else cell.ljust(w)
                for i, (cell, w) in enumerate(zip(line, widths, strict=True))
            ]
            lines.append("  ".join(padded).rstrip())
        lines += [
            f"  {row.status}: {case_text(row)}, {row.label}: {row.reason}"
            for row in rows
            if row.status != TIMED
        ]
        parts.append("\n".join(lines))
    return "\n\n".join(parts + [f"note: {note}" for note in results.notes])
