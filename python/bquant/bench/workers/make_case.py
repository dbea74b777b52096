"""bquant's other process: makes a case once, for itself and for the peers.

In the directory of the case there are then, as far as the case has them: x.npy and expected.npy,
the input and what PyTorch makes of it; case.pt2, the exported program with decoded weights;
calibration.npy, inputs for the peers' own quantization; weight.npy, the decoded weights of a
matrix product; chain.npz, the bits of a chain of convolutions; net.so, the compiled network. Of a
.tflite file make_lite.py makes the first of these.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

import bquant
import measuring
import numpy as np

_CALIBRATION = 8
_PROFILED = 20  # calls


def make(job: dict, directory: Path) -> dict:
    return _KINDS.get(job["kind"], _network)(job, directory)


def _network(job: dict, directory: Path) -> dict:
    import torch
    from bquant.bench import networks

    torch.set_num_threads(1)
    model, x = networks.build(job["kind"], job["arguments"])
    if job["kind"] == "linear":
        np.save(directory / "weight.npy", model[0].quantized_weight().detach().numpy())
    if job["kind"] == "convs" and job["arguments"]["activations"] == "ls-1":
        np.savez(directory / "chain.npz", **networks.bits_of_chain(model))
    if job["exports"]:
        program = torch.export.export(networks.decoded(model), (x,))
        torch.export.save(program, directory / "case.pt2")
    return _torch_case(model, model, x, job, directory)


def _torch_case(module, model, x, job: dict, directory: Path) -> dict:
    """What torch expects of a module, and what bquant makes of `model`, itself or its program."""
    import torch

    with torch.no_grad():
        np.save(directory / "expected.npy", module(x).numpy())
    np.save(directory / "x.npy", x.numpy())
    np.save(directory / "calibration.npy", torch.randn(_CALIBRATION, *x.shape).numpy())
    return _compiled(
        lambda **options: bquant.compile(model, (x,), **options),
        lambda network: bquant.verify(network, model, x),
        x,
        job,
        directory,
    )


def _model(job: dict, directory: Path) -> dict:
    """A file. Peers take what PyTorch exported, or .tflite, of which there may be an input and what
    an interpreter makes of it; the reference route is beside all others."""
    path = str(job["arguments"].get("path", directory / "case.tflite"))
    if path.endswith(".pt2"):
        return _exported(path, job, directory)

    def compile_(**options):
        return bquant.compile(path, **options)

    network = compile_(target=job["target"], strategy="reference")
    if len(network.inputs) != 1 or len(network.outputs) != 1:
        raise ValueError(
            f"expected one input and one output, but got {len(network.inputs)} and "
            f"{len(network.outputs)}"
        )
    is_given = (directory / "expected.npy").exists()
    x = measuring.load(directory, "x") if is_given else _any(network.inputs[0])
    expected = network(x)
    if not is_given:
        np.save(directory / "x.npy", x)
        np.save(directory / "expected.npy", expected)
    facts = _compiled(compile_, lambda other: np.array_equal(other(x), expected), x, job, directory)
    return {**facts, "checked": "bit for bit against the reference route"}


def _any(given: dict) -> np.ndarray:
    shape = [1 if n is None else n for n in given["shape"]]
    return measuring.draw(shape, given["dtype"], 0)


def _exported(path: str, job: dict, directory: Path) -> dict:
    import torch

    program = torch.export.load(path)
    shapes = [
        node.meta["val"].shape
        for node in program.graph.nodes
        if node.op == "placeholder" and node.name in program.graph_signature.user_inputs
    ]
    if len(shapes) != 1:
        raise ValueError(f"expected one input, but got {len(shapes)}")
    torch.manual_seed(0)
    x = torch.randn([n if isinstance(n, int) else 1 for n in shapes[0]])
    (directory / "case.pt2").write_bytes(Path(path).read_bytes())
    return _torch_case(program.module(), program, x, job, directory)


def _compiled(compile_, verify, x, job: dict, directory: Path) -> dict:
    """The library, its layers, and whether it is right. That a network does not compile is bquant's
    failure, and the peers still run."""
    options = {"target": job["target"], "threads": job["threads"], "strategy": job["strategy"]}
    try:
        network = compile_(**options, verbose=False)
        network.save(directory / "net.so")
        report = json.loads(network.report("json"))
        layers = _layers(report, network.profile(x, calls=_PROFILED))
        verification = verify(network)
    except Exception as error:
        return {"failure": measuring.first_line(error)}
    return {
        "macs": sum(layer["macs"] for layer in report["layers"]),
        "layers": layers,
        "right": bool(verification),
        "checked": f"layer by layer against torch: {str(verification).splitlines()[0]}",
    }


def _layers(report: dict, profile) -> list[dict]:
    """The products, with their times. A place has one time for all that stands there."""
    timed = {layer["location"]: layer for layer in profile.layers}
    return [
        {
            "name": facts["location"],
            "kernel": timed[facts["location"]]["kernel"],
            "seconds": timed[facts["location"]]["seconds"],
            "macs": facts["macs"],
            "bytes_read": _bytes(facts["operands"]) + facts["weight_bytes"],
            "limit_share": timed[facts["location"]].get("limit_share"),
        }
        for facts in report["layers"]
        if facts["macs"] and facts["location"] in timed
    ]


def _bytes(tensor: str) -> int:
    """Of a tensor as the report writes it: 1x56x56x64 f32; 1x56x56x64, 2 planes; 8x8, ternary."""
    shape, planes, element = re.match(
        r"([0-9x?]+)(?:, (?:(\d+) planes?|ternary)| [a-z]+(\d+))", tensor
    ).groups()
    bits = int(planes or element or 2)
    return int(np.prod([int(n) for n in shape.replace("?", "1").split("x")])) * bits // 8


def _solver(job: dict, directory: Path) -> dict:
    """Values, and their best scalars by a sort in float64."""
    arguments = job["arguments"]
    x = np.random.default_rng(0).standard_normal((arguments["rows"], arguments["columns"]))
    x = x.astype(np.float32)
    np.save(directory / "x.npy", x)
    expected = measuring.solve_by_sort(np, x.astype(np.float64), arguments["scheme"])
    np.save(directory / "expected.npy", expected)
    return {"macs": 0, "layers": [], "right": True, "checked": ""}


_KINDS = {"model": _model, "quicknet-lite": _model, "tiny": _model, "solver": _solver}


if __name__ == "__main__":
    measuring.main(make=make)
