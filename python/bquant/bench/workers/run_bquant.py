"""bquant's process: it makes a case and compiles it once; later ones load the library and time."""

from __future__ import annotations

import json
import re
from pathlib import Path

import bquant
import measuring
import numpy as np

_CALIBRATION = 8  # inputs for the peers' own quantization
_PROFILED = 20
_BITS = {"f32": 32, "i32": 32, "i8": 8, "ui8": 8, "f64": 64, "i64": 64}


def _bytes(tensor: str) -> int:
    """Of a tensor as the report writes it: 1x56x56x64 f32 or 1x56x56x64, 2 planes."""
    match = re.match(r"([0-9x?]+)(?:, (\d+) planes?| (\w+))", tensor)
    if match is None:
        return 0
    shape, planes, element = match.groups()
    bits = int(planes) if planes else _BITS.get(element, 32)
    return int(np.prod([int(n) for n in shape.replace("?", "1").split("x")])) * bits // 8


def _layers(report: dict, profile) -> list[dict]:
    """The products, with their times. A place has one time for all that stands there."""
    seconds = {layer["location"]: layer for layer in profile.layers}
    layers = []
    for facts in report["layers"]:
        if not facts["macs"] or facts["location"] not in seconds:
            continue
        timed = seconds[facts["location"]]
        layers.append(
            {
                "name": facts["location"],
                "kernel": timed["kernel"],
                "seconds": timed["seconds"],
                "macs": facts["macs"],
                "bytes_read": _bytes(facts["operands"]) + facts["weight_bytes"],
                "limit_share": timed.get("limit_share"),
            }
        )
    return layers


def _compile(model, x, job: dict, directory: Path):
    options = {"target": job["target"], "threads": job["threads"], "strategy": job["strategy"]}
    examples = None if isinstance(model, str) else (x,)
    network = bquant.compile(model, examples, verbose=False, **options)
    network.save(directory / "net.so")
    return network


def _describe(network, x) -> dict:
    report = json.loads(network.report("json"))
    layers = _layers(report, network.profile(x, calls=_PROFILED))
    return {"macs": sum(layer["macs"] for layer in report["layers"]), "layers": layers}


def make(job: dict, directory: Path) -> dict:
    """A network of a set: the exported program and the output that peers have to reach, the library
    that is timed, its layers, and what `bquant.verify` says of them."""
    import torch
    from bquant.bench import networks

    torch.set_num_threads(1)
    model, x = networks.build(job["kind"], job["arguments"])
    _write(model, x, directory)
    if job["kind"] == "linear":
        np.save(directory / "weight.npy", model[0].quantized_weight().detach().numpy())
    if job["exports"]:
        torch.export.save(torch.export.export(model, (x,)), directory / "case.pt2")
    return _finish(model, x, job, directory)


def _write(model, x, directory: Path) -> None:
    import torch

    with torch.no_grad():
        np.save(directory / "expected.npy", model(x).numpy())
    np.save(directory / "x.npy", x.numpy())
    np.save(directory / "calibration.npy", torch.randn(_CALIBRATION, *x.shape).numpy())


def _finish(model, x, job: dict, directory: Path) -> dict:
    network = _compile(model, x, job, directory)
    verification = bquant.verify(network, model, x)
    return {
        **_describe(network, x),
        "right": bool(verification),
        "checked": f"layer by layer against torch: {str(verification).splitlines()[0]}",
    }


def run(job: dict, directory: Path) -> dict:
    network = bquant.load(directory / "net.so", threads=job["threads"])
    x = measuring.load(directory, "x")
    return measuring.measure(lambda: network(x), job, directory)


if __name__ == "__main__":
    measuring.main(make=make, run=run)
