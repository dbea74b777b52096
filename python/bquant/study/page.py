"""An experiment's picture, and its page, which needs nothing from elsewhere."""

from __future__ import annotations

import base64
import io
import math
from html import escape
from pathlib import Path

from ..train.files import write_whole
from .result import Result

_STYLE = """
body { font-family: sans-serif; margin: 2em auto; max-width: 70em; padding: 0 1em; color: #111; }
table { border-collapse: collapse; margin-bottom: 2em; }
td, th { border: 1px solid #ccc; padding: .3em .6em; text-align: left; }
td.number { text-align: right; }
img { max-width: 100%; height: auto; }
.seen { background: #e6f4ea; } .unseen { background: #fdecea; }
"""


def write(folder: Path, name: str, result: Result, command: str) -> None:
    """NAME.png and NAME.html, which shows the command; the columns of the table are those of the
    CSV."""
    buffer = io.BytesIO()
    result.figure.savefig(buffer, format="png", dpi=140)
    picture = buffer.getvalue()
    write_whole(folder / f"{name}.png", lambda path: path.write_bytes(picture))
    text = _html(result, command, picture)
    write_whole(folder / f"{name}.html", lambda path: path.write_text(text, encoding="utf-8"))


def _html(result: Result, command: str, picture: bytes) -> str:
    image = base64.b64encode(picture).decode()
    findings = "".join(
        f'<tr class="{_class(f.seen)}"><td>{escape(f.claim)}</td><td>{escape(f.found)}</td>'
        f"<td>{f.verdict}</td></tr>"
        for f in result.findings
    )
    columns = list(result.rows[0])
    head = "".join(f"<th>{escape(column.replace('_', ' '))}</th>" for column in columns)
    body = "".join(
        "<tr>" + "".join(_cell(row.get(column, "")) for column in columns) + "</tr>\n"
        for row in result.rows
    )
    notes = "".join(f"<p>{escape(note)}</p>" for note in result.notes)
    return (
        f'<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f"<title>{escape(result.title)}</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n"
        f"<h1>{escape(result.title)}</h1>\n<p>{escape(result.text)}</p>\n"
        f"<p><code>{escape(command)}</code></p>\n"
        f"<table><tr><th>the paper's claim</th><th>found</th><th></th></tr>{findings}</table>\n"
        f'<img alt="{escape(result.title)}" src="data:image/png;base64,{image}">\n{notes}\n'
        f"<table><tr>{head}</tr>\n{body}</table>\n</body>\n</html>\n"
    )


def _class(seen: bool | None) -> str:
    return "" if seen is None else "seen" if seen else "unseen"


def _cell(value) -> str:
    if isinstance(value, float):
        return f'<td class="number">{"" if math.isnan(value) else format(value, ".4g")}</td>'
    kind = ' class="number"' if isinstance(value, int) else ""
    return f"<td{kind}>{escape(str(value))}</td>"
