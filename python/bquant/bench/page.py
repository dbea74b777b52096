"""The results as one page that needs nothing from elsewhere, in the style of the reports."""

from __future__ import annotations

from html import escape

from . import charts
from .results import TIMED, Layer, Limits, Results, Row
from .table import HEAD, NUMBERS, case_text, cells, time_text

# As lib/Compiler/HTML.cpp has it, and what charts need.
_STYLE = """
.bquant-report { font-family: sans-serif; margin: 2em; max-width: 75em; }
.bquant-report table { border-collapse: collapse; margin-bottom: 2em; }
.bquant-report td, .bquant-report th { border: 1px solid #ccc; padding: .3em .6em;
  text-align: left; color: #000; }
.bquant-report td.number { text-align: right; white-space: nowrap; }
.bquant-report td.short { white-space: nowrap; }
.bquant-report .failure td { background: #fde8e8; }
.bquant-report .own td { background: #eaf1f8; }
.bquant-report svg { display: block; max-width: 100%; height: auto; margin-bottom: 1em; }
.bquant-report svg text { font-size: 12px; }
.bquant-report .quiet { fill: #666; }
.bquant-report .grid { stroke: #e4e4e4; }
.bquant-report .roof { stroke: #444; stroke-dasharray: 5 3; }
.bquant-report details { margin-bottom: 2em; }
"""


def html(results: Results) -> str:
    parts = [_machine(results)]
    for key in dict.fromkeys((row.set, row.threads) for row in results.rows):
        rows = [row for row in results.rows if (row.set, row.threads) == key]
        threads = f"{key[1]} thread{'s' if key[1] > 1 else ''}"
        parts.append(f"<h2>{escape(key[0])}, {threads}</h2>")
        for group in dict.fromkeys(row.group for row in rows):
            if group != key[0]:
                parts.append(f"<h3>{escape(group)}</h3>")
            parts.append(charts.bars([row for row in rows if row.group == group]))
        parts.append(_rows(results, rows))
        parts.append(_layers(rows))
    title = "bquant benchmark"
    return (
        f'<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>{title}</title>'
        f'\n<style>{_STYLE}</style>\n</head>\n<body>\n<div class="bquant-report">\n'
        f"<h1>{title}</h1>\n" + "\n".join(part for part in parts if part) + "\n</div>\n</body>\n"
        "</html>\n"
    )


def _machine(results: Results) -> str:
    machine = results.machine
    facts = [
        ("command", results.command),
        ("CPU", f"{machine.cpu}, {machine.cores} cores"),
        ("features", ", ".join(machine.features)),
        ("system", machine.system),
        ("versions", ", ".join(f"{n} {v}" for n, v in machine.versions.items())),
    ]
    limits = next((row.limits for row in results.rows if row.limits), None)
    if limits:
        facts.append(("compiled for", limits.target_cpu))
        facts.append(("limits of a thread", _limits(limits)))
    facts += [("note", note) for note in results.notes]
    body = "".join(f"<tr><th>{n}</th><td>{escape(v)}</td></tr>" for n, v in facts)
    return f"<table>{body}</table>"


def _limits(limits: Limits) -> str:
    loops = [f"{name} {speed:.0f} GMAC/s" for name, speed in limits.gmac_per_s.items()]
    reads = [f"{place} {speed:.0f} GB/s" for place, speed in limits.gbyte_per_s.items()]
    return ", ".join(loops + reads)


def _rows(results: Results, rows: list[Row]) -> str:
    head = "".join(f"<th>{name}</th>" for name in (*HEAD, "output"))
    body = ""
    for row in rows:
        kind = "failure" if row.status != TIMED else "own" if row.engine == "bquant" else ""
        texts = (*cells(results.rows, row), row.reason or row.checked)
        body += f'<tr class="{kind}">'
        for i, text in enumerate(texts):
            kind = "number" if i in NUMBERS else "short" if i < len(HEAD) else "long"
            body += f'<td class="{kind}">{escape(text)}</td>'
        body += "</tr>\n"
    return f"<table><tr>{head}</tr>\n{body}</table>"


def _layers(rows: list[Row]) -> str:
    """A roofline of all layers of all cases, and each case's layers."""
    measured = [row for row in rows if row.layers]
    if not measured:
        return ""
    layers = [layer for row in measured for layer in row.layers]
    limits = measured[0].limits
    parts = ["<h3>The layers of bquant's networks</h3>"]
    if limits and any(layer.bytes_read and layer.seconds for layer in layers):
        parts.append(charts.roofline(layers, limits))
    for row in measured:
        name = escape(case_text(row))
        body = "".join(_layer(layer) for layer in row.layers)
        head = "".join(
            f"<th>{h}</th>" for h in ("layer", "kernel", "time", "MAC", "GMAC/s", "of its limit")
        )
        parts.append(
            f"<details><summary>{name}</summary><table><tr>{head}</tr>{body}</table></details>"
        )
    return "\n".join(parts)


def _layer(layer: Layer) -> str:
    speed = f"{layer.macs / layer.seconds / 1e9:.0f}" if layer.seconds else ""
    share = f"{layer.limit_share:.2f}" if layer.limit_share is not None else ""
    numbers = (time_text(layer.seconds), f"{layer.macs:,}", speed, share)
    cells_ = "".join(f'<td class="number">{text}</td>' for text in numbers)
    return f"<tr><td>{escape(layer.name)}</td><td>{escape(layer.kernel)}</td>{cells_}</tr>"
