"""The report that a library carries: read with the checks of lib/Compiler/ReportJSON.cpp, and
written as text, JSON and HTML as ReportFormats.cpp and HTML.cpp do."""

from __future__ import annotations

from collections.abc import Iterator

from ._foreign import dump, parse, whole

_ARITHMETIC = ("binary", "float by binary", "float", "integer", "reference")
_KINDS = ("passed", "missed", "failure", "analysis")
_MOST = 2**64 - 1
_DETAILS = ("kernel", "layout", "tile", "cycles", "of the limit")

_STYLE = """\
.bquant-report { font-family: sans-serif; margin: 2em; }
.bquant-report table { border-collapse: collapse; margin-bottom: 2em; }
.bquant-report td, .bquant-report th { border: 1px solid #ccc; padding: .3em .6em; \
text-align: left; color: #000; }
.bquant-report .missed td, .bquant-report .failure td { background: #fde8e8; }
.bquant-report .float td { background: #fff4dd; }
.bquant-report .passed td { background: #e9f7ec; }
.bquant-report .bar { background: #4878a8; height: 1em; }
"""


class Report:
    """What each layer became. What follows from other values is not read, but computed."""

    def __init__(self, value, path: str):
        report = _Fields(value, path)
        self.version = report.text("version", required=True)
        self.layers = [_read_layer(layer) for layer in report.items("layers")]
        self.remarks = [_read_remark(remark) for remark in report.items("remarks")]
        self.constant_bytes = report.count("constant_bytes", 0)
        target = report.object("target")
        self.target = {
            key: target.text(key) if target else "" for key in ("triple", "cpu", "features")
        }
        self.binary_layers = sum(map(_is_binary, self.layers))
        self.macs = _add(layer["macs"] for layer in self.layers)
        self.binary_macs = _add(layer["macs"] for layer in self.layers if _is_binary(layer))
        self.weight_bytes = _add(layer["weight_bytes"] for layer in self.layers)

    def mac_share(self, layer: dict) -> float | None:
        return layer["macs"] / self.macs if layer["macs"] else None

    def binary_share(self) -> float | None:
        return self.binary_macs / self.macs if self.macs else None

    def to_value(self) -> dict:
        layers = []
        for layer in self.layers:
            item = {key: value for key, value in layer.items() if value not in (None, "")}
            item |= {
                key: layer[key] for key in ("function", "location", "op", "operands", "result")
            }
            item["float"] = _is_float(layer)
            item |= _given(mac_share=self.mac_share(layer), limit_share=_limit_share(layer))
            layers.append(item)
        totals = {
            "layers": len(self.layers),
            "binary_layers": self.binary_layers,
            "macs": self.macs,
            "binary_macs": self.binary_macs,
            "weight_bytes": self.weight_bytes,
            **_given(binary_share=self.binary_share()),
        }
        return {
            "version": self.version,
            "target": self.target,
            "totals": totals,
            "layers": layers,
            "constant_bytes": self.constant_bytes,
            "remarks": self.remarks,
        }

    def describe_totals(self) -> list[tuple[str, str]]:
        share, target = self.binary_share(), self.target
        return [
            ("layers", f"{len(self.layers):,}, {self.binary_layers:,} of them binary"),
            (
                "MAC",
                f"{self.macs:,}"
                + (f", {_share(share)} of them binary" if share is not None else ""),
            ),
            ("weights", f"{self.weight_bytes:,} bytes"),
            ("constants", f"{self.constant_bytes:,} bytes"),
            (
                "target",
                f"{target['triple'] or '-'}, {target['cpu'] or '-'}"
                + (f", {target['features']}" if target["features"] else ""),
            ),
            ("version", f"bquant {self.version}"),
        ]

    def to_text(self) -> str:
        lines = [f"{name}: {value}" for name, value in self.describe_totals()]
        lines.append(f"each layer{' (* float)' if any(map(_is_float, self.layers)) else ''}:")
        for layer in self.layers:
            line = (
                f"{'*' if _is_float(layer) else ' '} {layer['location'] or '-'}: {layer['op']}, "
                f"{layer['arithmetic']}: {layer['operands']} -> {layer['result']}"
            )
            share = self.mac_share(layer)
            if share is not None:
                line += f", {layer['macs']:,} MAC ({_share(share)})"
            if layer["weight_bytes"]:
                line += f", {layer['weight_bytes']:,} bytes of weights"
            for i, (name, detail) in enumerate(zip(_DETAILS, _kernel_details(layer))):  # noqa: B905
                if detail:
                    line += f", {name} {detail}" if i < 3 else f", {detail} {name}"
            lines.append(line)
        lines.append(f"remarks: {len(self.remarks)}")
        for remark in self.remarks:
            lines.append(
                f"  {remark['location'] or '-'}: {remark['kind']} {remark['name']}: "
                f"{remark['text']}"
            )
        return "\n".join(lines) + "\n"

    def to_html_body(self) -> str:
        totals = "".join(
            f"<tr><th>{name}</th>{_cell(value)}</tr>\n" for name, value in self.describe_totals()
        )
        remarks = "".join(
            f'<tr class="{remark["kind"]}">'
            + "".join(_cell(remark[key]) for key in ("location", "kind", "name", "text"))
            + "</tr>\n"
            for remark in self.remarks
        )
        return (
            f"<table>\n{totals}</table>\n<h2>Layers</h2>\n<table>\n{self._html_layers()}</table>\n"
            f"<h2>Remarks</h2>\n<table>\n{_head(['where', 'kind', 'what', 'remark'])}{remarks}"
            "</table>\n"
        )

    def _html_layers(self) -> str:
        details = [_kernel_details(layer) for layer in self.layers]
        # The columns of kernels that some layer fills.
        shown = [i for i in range(len(_DETAILS)) if any(row[i] for row in details)]
        names = ["where", "op", "arithmetic", "operands", "result", "MAC", "of all MAC"]
        rows = [_head([*names, "weight bytes", *(_DETAILS[i] for i in shown)])]
        for layer, row in zip(self.layers, details):  # noqa: B905
            share = self.mac_share(layer)
            cells = [layer[key] for key in ("location", "op", "arithmetic", "operands", "result")]
            cells += [f"{layer['macs']:,}" if layer["macs"] else ""]
            cells += ["" if share is None else _share(share)]
            cells += [f"{layer['weight_bytes']:,}" if layer["weight_bytes"] else ""]
            cells += [row[i] for i in shown]
            opened = '<tr class="float">' if _is_float(layer) else "<tr>"
            rows.append(opened + "".join(map(_cell, cells)) + "</tr>\n")
        return "".join(rows)


class Reports:
    """The reports of a library: one for each CPU that it has a version for."""

    def __init__(self, reports: list[Report]):
        self.reports = reports

    @classmethod
    def parse(cls, text: bytes) -> Reports:
        value = parse(text)
        if isinstance(value, list) and value:
            return cls([Report(one, f"report[{i}]") for i, one in enumerate(value)])
        if not isinstance(value, dict):
            raise ValueError("expected object when parsing report")
        return cls([Report(value, "report")])

    def of(self, cpu: str | None) -> Reports:
        """That of the version for a CPU; all where there is none."""
        return Reports([one for one in self.reports if one.target["cpu"] == cpu] or self.reports)

    def to_text(self) -> str:
        return "\n".join(report.to_text() for report in self.reports)

    def to_json(self) -> str:
        values = [report.to_value() for report in self.reports]
        return dump(values[0] if len(values) == 1 else values, indent=2) + "\n"

    def to_html(self) -> str:
        body = "".join(report.to_html_body() for report in self.reports)
        return (
            '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
            "<title>bquant report</title>\n</head>\n<body>\n"
            f'<div class="bquant-report">\n<style>\n{_STYLE}</style>\n<h1>bquant report</h1>\n'
            f"{body}</div>\n</body>\n</html>\n"
        )


class _Fields:
    """The fields of an object. One that is missing has a default: the report of another version may
    have others."""

    def __init__(self, value, path: str):
        if not isinstance(value, dict):
            raise ValueError(f"expected object at {path}")
        self.value, self.path = value, path

    def fail(self, what: str, key: str):
        raise ValueError(f"{what} at {self.path}.{key}")

    def text(self, key: str, required: bool = False) -> str:
        if key not in self.value:
            return self.fail("missing value", key) if required else ""
        value = self.value[key]
        return value if isinstance(value, str) else self.fail("expected string", key)

    def count(self, key: str, default):
        if key not in self.value:
            return default
        value = whole(self.value[key])
        if value is None:
            self.fail("expected integer", key)
        return value if value >= 0 else self.fail("expected a number of at least 0", key)

    def items(self, key: str) -> Iterator[_Fields]:
        """Each is looked at when it is asked for: what is wrong first is said first."""
        if key not in self.value:
            self.fail("missing value", key)
        items = self.value[key]
        if not isinstance(items, list):
            self.fail("expected array", key)
        for i, item in enumerate(items):
            yield _Fields(item, f"{self.path}.{key}[{i}]")

    def object(self, key: str) -> _Fields | None:
        return _Fields(self.value[key], f"{self.path}.{key}") if key in self.value else None


def _read_layer(fields: _Fields) -> dict:
    layer = {key: fields.text(key) for key in ("function", "location", "op")}
    layer["arithmetic"] = fields.text("arithmetic", required=True)
    layer |= {key: fields.text(key) for key in ("operands", "result")}
    layer |= {key: fields.count(key, 0) for key in ("macs", "weight_bytes")}
    layer |= {key: fields.text(key) for key in ("kernel", "layout")}
    layer["tile"] = None
    if fields.value.get("tile") is not None:
        tile = fields.object("tile")
        layer["tile"] = {key: tile.count(key, 0) for key in ("rows", "channels")}
    layer |= {key: fields.count(key, None) for key in ("estimated_cycles", "limit_cycles")}
    if layer["arithmetic"].removesuffix(", thresholds") not in _ARITHMETIC:
        fields.fail("expected an arithmetic of layers", "arithmetic")
    return layer


def _read_remark(fields: _Fields) -> dict:
    remark = {"kind": fields.text("kind", required=True)}
    remark |= {key: fields.text(key) for key in ("name", "function", "location", "text")}
    if remark["kind"] not in _KINDS:
        fields.fail("expected passed, missed, failure or analysis", "kind")
    return remark


def _is_binary(layer: dict) -> bool:
    return layer["arithmetic"].removesuffix(", thresholds") in ("binary", "reference")


def _is_float(layer: dict) -> bool:
    return layer["arithmetic"].removesuffix(", thresholds") in ("float", "float by binary")


def _limit_share(layer: dict) -> float | None:
    """Of the speed of the kernel's bare inner loop, what the layer is estimated to reach."""
    limit, estimated = layer["limit_cycles"], layer["estimated_cycles"]
    return limit / estimated if limit is not None and estimated else None


def _kernel_details(layer: dict) -> list[str]:
    """What the choice of a kernel adds, by `_DETAILS`; no text where there is nothing to say."""
    tile, cycles, share = layer["tile"], layer["estimated_cycles"], _limit_share(layer)
    return [
        layer["kernel"],
        layer["layout"],
        f"{tile['rows']} x {tile['channels']}" if tile else "",
        "" if cycles is None else f"{cycles:,}",
        "" if share is None else _share(share),
    ]


def _add(numbers) -> int:
    return min(sum(numbers), _MOST)


def _share(share: float) -> str:
    return f"{100 * share:.1f} %"


def _given(**values) -> dict:
    return {key: value for key, value in values.items() if value is not None}


def _cell(text: str) -> str:
    named = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&apos;"}
    return f"<td>{''.join(named.get(c, c) for c in text)}</td>"


def _head(names: list[str]) -> str:
    return f"<tr>{''.join(f'<th>{name}</th>' for name in names)}</tr>\n"
