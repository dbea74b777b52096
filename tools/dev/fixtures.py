"""Makes the files in test/Python/golden: models of outside libraries, inputs, and what the outside
runtime gives. `./dev fixtures` runs it in .venv-outside.

An archive of NumPy has of each case NAME the model as bytes, `NAME/model`, and the inputs and
outputs by number, `NAME/x0`, `NAME/y0`.
"""

from __future__ import annotations

import sys
from pathlib import Path

import byte_cases
import numpy as np
import onnx_cases
import onnx_opsets
import onnxruntime
import qdq_cases

CODES = {f"tensor({name})": name for name in ("uint8", "int8", "uint16", "int16")}

# What a batch of any size is here.
BATCH = 3


def make(value, generator) -> np.ndarray:
    """An input; integers are places of a dimension of 9."""
    shape = [d if isinstance(d, int) else BATCH for d in value.shape]
    if value.type == "tensor(int64)":
        return generator.integers(0, 9, shape)
    if value.type == "tensor(bool)":
        return generator.random(shape) > 0.5
    if value.type in CODES:
        limits = np.iinfo(CODES[value.type])
        return generator.integers(limits.min, limits.max, shape, limits.dtype, endpoint=True)
    return generator.standard_normal(shape).astype(np.float32)


def record(model, seed: int) -> dict:
    for node in model.graph.node:  # lines of the exporter's sources
        del node.metadata_props[:]
        node.doc_string = ""
    content = model.SerializeToString()
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    session = onnxruntime.InferenceSession(content, options, ["CPUExecutionProvider"])
    generator = np.random.default_rng(seed)
    inputs = {value.name: make(value, generator) for value in session.get_inputs()}
    outputs = session.run(None, inputs)
    result = {"model": np.frombuffer(content, np.uint8)}
    result |= {f"x{i}": x for i, x in enumerate(inputs.values())}
    result |= {f"y{i}": y for i, y in enumerate(outputs)}
    return result


def main() -> None:
    folder = Path(__file__).resolve().parents[2] / "test/Python/golden"
    folder.mkdir(exist_ok=True)
    for name, cases in {
        "onnx_operators": onnx_cases.operators(),
        "onnx_integers": onnx_cases.integers(),
        "onnx_networks": onnx_cases.networks(),
        "onnx_opsets": onnx_opsets.operators() | onnx_opsets.networks(),
        "onnx_quantized": qdq_cases.quantized(),
        "onnx_bytes": byte_cases.bytes_(),
    }.items():
        arrays = {}
        for seed, (case, model) in enumerate(cases.items()):
            try:
                recorded = record(model, seed)
            except Exception as error:
                sys.exit(f"fixtures: {case}: {error}")
            arrays |= {f"{case}/{key}": array for key, array in recorded.items()}
        np.savez_compressed(folder / f"{name}.npz", **arrays)


if __name__ == "__main__":
    main()
