"""bquant's other process: makes a case once, for itself and for the peers.

In the directory of the case there are then, as far as the case has them: x.npy and expected.npy,
the input and what PyTorch makes of it; case.pt2, the exported program with decoded weights;
calibration.npy, inputs for the peers' own quantization; weight.npy, the decoded weights of a
matrix product; chain.npz, the bits of a chain of convolutions; net.so, the compiled network. Of a
.tflite file make_lite.py makes the first of these. What peers need is there before bquant compiles,
expected.npy last.
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
    with torch.no_grad():
        y = model(x)
    return _torch_case(y, model, x, job, directory)


def _exported(job: dict, directory: Path) -> dict:
    """A program of one tensor, which may be in a list or a dict, as may its output."""
    import torch
    from bquant.frontends.torch import load
    from torch.utils import _pytree

    path = Path(job["arguments"]["path"])
    program = load(path)
    given, returned = program.call_spec.in_spec, program.call_spec.out_spec
    measuring.check_counts(given.num_leaves, returned.num_leaves)
    (name,) = program.graph_signature.user_inputs
    tensor = next(node.meta["val"] for node in program.graph.nodes if node.name == name)
    try:
        element = torch.empty(0, dtype=tensor.dtype).numpy().dtype
    except TypeError:
        raise ValueError(
            f"expected an input of a type that NumPy has, but got {tensor.dtype}"
        ) from None
    x = torch.from_numpy(_any(tensor.shape, element))
    inputs, keywords = _pytree.tree_unflatten([x], given)
    with torch.no_grad():
        (y,) = _pytree.tree_leaves(program.module()(*inputs, **keywords))
    (directory / "case.pt2").write_bytes(path.read_bytes())
    return _torch_case(y, program, x, job, directory)


def _torch_case(expected, model, x, job: dict, directory: Path) -> dict:
    """What torch expects, and what bquant makes of an nn.Module or a program."""
    calibration = measuring.draw((_CALIBRATION, *x.shape), x.numpy().dtype, 1)
    np.save(directory / "calibration.npy", calibration)
    np.save(directory / "x.npy", x.numpy())
    np.save(directory / "expected.npy", expected.numpy())

    def compare(network):
        verification = bquant.verify(network, model, x)
        verdict = str(verification).splitlines()[0]
        return "" if verification else verdict, f"layer by layer against torch: {verdict}"

    return _compiled(model, (x,), compare, x, job, directory)


def _file(job: dict, directory: Path) -> dict:
    """Beside the reference route. There may be an input, and what an interpreter makes of it."""
    path = Path(job["arguments"].get("path", directory / "case.tflite"))
    reference = bquant.compile(path, target=job["target"], strategy="reference")
    measuring.check_counts(len(reference.inputs), len(reference.outputs))
    is_given = (directory / "expected.npy").exists()
    (given,) = reference.inputs
    x = measuring.load(directory, "x") if is_given else _any(given["shape"], given["dtype"])
    expected = reference(x)
    if not is_given:
        np.save(directory / "x.npy", x)
        np.save(directory / "expected.npy", expected)

    def compare(network):
        count = np.count_nonzero(measuring.differing(network(x), expected))
        mismatch = f"{count} of {expected.size} values differ from the reference route's"
        return mismatch if count else "", "bit for bit against the reference route"

    return _compiled(path, None, compare, x, job, directory)


def _any(shape, element) -> np.ndarray:
    """An input; of a dimension of any size one."""
    return measuring.draw([n if isinstance(n, int) else 1 for n in shape], element, 0)


def _compiled(model, examples, compare, x, job: dict, directory: Path) -> dict:
    """The library, its layers, what is wrong with its output, and how that was compared."""
    options = {"target": job["target"], "threads": job["threads"], "strategy": job["strategy"]}
    network = bquant.compile(model, examples, **options, verbose=False)
    network.save(directory / "net.so")
    report = json.loads(network.report("json"))
    layers = _layers(report, network.profile(x, calls=_PROFILED))
    mismatch, checked = compare(network)
    return {
        "macs": sum(layer["macs"] for layer in report["layers"]),
        "layers": layers,
        "mismatch": mismatch,
        "checked": checked,
    }


def _layers(report: dict, profile) -> list[dict]:
    """The products by their places, each of which has one time for all that stands there."""
    timed = {layer["location"]: layer for layer in profile.layers}
    layers: dict[str, dict] = {}
    for facts in report["layers"]:
        place = facts["location"]
        if not facts["macs"] or place not in timed:
            continue
        layer = layers.setdefault(
            place,
            {
                "name": place,
                "kernel": timed[place]["kernel"],
                "seconds": timed[place]["seconds"],
                "macs": 0,
                "bytes_read": 0,
                "limit_share": timed[place].get("limit_share"),
            },
        )
        layer["macs"] += facts["macs"]
        layer["bytes_read"] += _bytes(facts["operands"]) + facts["weight_bytes"]
    return list(layers.values())


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
    return {"macs": 0, "layers": [], "mismatch": "", "checked": ""}


_KINDS = {
    ".pt2": _exported,
    **dict.fromkeys((".onnx", ".mlir", ".tflite", "quicknet-lite", "tiny"), _file),
    "solver": _solver,
}


if __name__ == "__main__":
    measuring.main(make=make)
