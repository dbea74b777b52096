"""Makes test/Python/golden/qonnx_modules.npz: modules of Brevitas that check a QuantTensor, so that
torch.export stops in them, as `export_qonnx` writes them, with random and with trained weights. The
results are those of the modules themselves, from which qonnx' own execution differs by roundings of
floats at most. `./dev fixtures` runs it in .venv-outside-qonnx.
"""

from __future__ import annotations

import sys
from pathlib import Path

import brevitas.nn as qnn
import numpy as np
import torch
from brevitas.quant import (
    Int8ActPerTensorFloat,
    Int8WeightPerChannelFloat,
    Int32Bias,
    SignedBinaryWeightPerTensorConst,
    TruncTo8bit,
    Uint8ActPerTensorFloat,
)
from qonnx_fixtures import SEED, export, record
from qonnx_forms import trained
from torch import nn

SHAPE = (2, 3, 8, 8)


def levels(bits):
    """Values that know their scale."""
    return qnn.QuantReLU(bit_width=bits, return_quant_tensor=True)


def conv(fan_in, fan_out, kernel=3, bits=4, **options):
    options = {"padding": kernel // 2, "weight_quant": Int8WeightPerChannelFloat, **options}
    return qnn.QuantConv2d(fan_in, fan_out, kernel, weight_bit_width=bits, **options)


class Network(nn.Module):
    """An image of 8 bits first, four classes last."""

    def __init__(self, width=16):
        super().__init__()
        self.image = qnn.QuantIdentity(bit_width=8, return_quant_tensor=True)
        self.stem = conv(3, 16, bias=True, bias_quant=Int32Bias)
        self.act = levels(4)
        self.head = qnn.QuantLinear(width, 4, bias=True, bias_quant=Int32Bias, weight_bit_width=4)
        self.levels = levels(4)

    def forward(self, x):
        x = self.body(self.act(self.stem(self.image(x))))
        x = x.value if hasattr(x, "value") else x
        return self.head(self.levels(x.mean((2, 3))))


class Biased(Network):
    """Biases in steps of what is summed."""

    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(
            conv(16, 16, bias=True, bias_quant=Int32Bias, stride=2), levels(3),
            conv(16, 16, 1, bits=2, bias=True, bias_quant=Int32Bias),
        )  # fmt: skip


class Added(Network):
    """Two branches brought to one scale, and added."""

    def __init__(self):
        super().__init__()
        self.left, self.right = conv(16, 16, bias=False), conv(16, 16, 1, bias=False)
        self.add = qnn.QuantEltwiseAdd(
            input_quant=Int8ActPerTensorFloat, output_quant=Int8ActPerTensorFloat,
            return_quant_tensor=True,
        )  # fmt: skip

    def body(self, x):
        return self.add(self.left(x), self.right(x))


class Pooled(Network):
    """An average that is cut to 8 bits."""

    def __init__(self):
        super().__init__()
        self.conv = conv(16, 16, bias=False, weight_quant=SignedBinaryWeightPerTensorConst, bits=1)
        self.relu = qnn.QuantReLU(act_quant=Uint8ActPerTensorFloat, return_quant_tensor=True)
        self.pool = qnn.TruncAvgPool2d(2, trunc_quant=TruncTo8bit, float_to_int_impl_type="FLOOR")

    def body(self, x):
        return self.pool(self.relu(self.conv(x)))


class Joined(Network):
    """Channels side by side, by one scale."""

    def __init__(self):
        super().__init__(32)
        self.conv = conv(16, 16, bias=False)
        self.join = qnn.QuantIdentity(bit_width=4, return_quant_tensor=True)

    def body(self, x):
        return torch.cat([self.join(x), self.join(self.conv(x))], 1)


class Turned(Network):
    """A transposed convolution of values that know their scale."""

    def __init__(self):
        super().__init__()
        self.conv = qnn.QuantConvTranspose2d(
            16, 16, 2, 2, bias=True, bias_quant=Int32Bias, weight_bit_width=4,
        )  # fmt: skip

    def body(self, x):
        return self.conv(x)


KINDS = {kind.__name__.lower(): kind for kind in (Biased, Added, Pooled, Joined, Turned)}


def case(kind, train: bool, seed: int) -> dict:
    torch.manual_seed(seed)
    network = kind()
    if train:
        trained(network, SHAPE)
    try:
        torch.export.export(network.eval(), (torch.rand(SHAPE),))
    except Exception:
        pass
    else:
        raise ValueError("torch.export takes it")
    model = export(network, SHAPE, torch.Generator().manual_seed(seed), keep=train)
    for node in model.graph.node:
        del node.metadata_props[:]
        node.doc_string = ""
    x = np.random.default_rng(seed).random(SHAPE, np.float32)
    made = record(model, x)
    with torch.no_grad():
        y = network(torch.from_numpy(x))
    y = (y.value if hasattr(y, "value") else y).numpy()
    np.testing.assert_allclose(made["y0"], y, atol=1e-5 * np.abs(y).max())
    return {**made, "y0": y}


def main() -> None:
    arrays = {}
    for seed, (name, kind) in enumerate(KINDS.items(), SEED):
        for train in (False, True):
            label = f"{name}_trained" if train else name
            try:
                made = case(kind, train, seed)
            except Exception as error:
                sys.exit(f"qonnx_modules: {label}: {error}")
            arrays |= {f"{label}/{key}": array for key, array in made.items()}
    folder = Path(__file__).resolve().parents[2] / "test/Python/golden"
    np.savez_compressed(folder / "qonnx_modules.npz", **arrays)


if __name__ == "__main__":
    main()
