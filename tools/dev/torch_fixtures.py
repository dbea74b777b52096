"""Makes test/Python/golden/torch_exports.npz: programs that torch.export makes of networks of
Brevitas and torchao, inputs, and what PyTorch gives. `./dev fixtures` runs it in
.venv-outside-qonnx.

Of each case NAME the archive has the .pt2 file as bytes, `NAME/model`, and the input and output
`NAME/x0`, `NAME/y0`, as those of fixtures.py. What torch writes into it differs each time.
"""

from __future__ import annotations

import io
import sys
from pathlib import Path

import brevitas.nn as qnn
import numpy as np
import torch
import torchao.quantization as ao
from qonnx_fixtures import fully_connected
from torch import nn
from torchao.quantization.pt2e.quantize_pt2e import convert_pt2e, prepare_pt2e
from torchao.quantization.pt2e.quantizer.x86_inductor_quantizer import (
    X86InductorQuantizer,
    get_default_x86_inductor_quantization_config,
)

SEED = 20261125


def brevitas(kind: str):
    """A network of Brevitas and the shape of its input."""
    if kind == "codes_of_4_bits":
        return nn.Sequential(
            qnn.QuantIdentity(bit_width=4),
            qnn.QuantLinear(64, 48, bias=True, weight_bit_width=4),
            qnn.QuantReLU(bit_width=4),
            qnn.QuantLinear(48, 10, bias=True, weight_bit_width=2),
        ), (3, 64)
    model = fully_connected([32, 32, 32], *map(int, kind.removeprefix("tfc_w").split("a")))
    return model, (2, 1, 28, 28)


def linear(config):
    model = nn.Sequential(nn.Linear(64, 32), nn.ReLU(), nn.Linear(32, 16)).eval()
    ao.quantize_(model, config)
    return model, (3, 64)


class Images(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem, self.norm = nn.Conv2d(3, 16, 3, padding=1), nn.BatchNorm2d(16)
        self.conv, self.head = nn.Conv2d(16, 24, 3, stride=2, padding=1), nn.Linear(24, 10)

    def forward(self, x):
        x = torch.relu(self.norm(self.stem(x)))
        return self.head(torch.relu(self.conv(x)).mean((2, 3)))


def static_codes():
    """Calibrated codes by PT2E quantization."""
    shape = (2, 3, 12, 12)
    x = torch.randn(shape)
    program = torch.export.export(Images().eval(), (x,)).module()
    quantizer = X86InductorQuantizer().set_global(get_default_x86_inductor_quantization_config())
    prepared = prepare_pt2e(program, quantizer)
    prepared(x)
    return convert_pt2e(prepared), shape


CASES = {
    **{kind: lambda kind=kind: brevitas(kind)
       for kind in ("tfc_w1a1", "tfc_w1a2", "tfc_w2a2", "codes_of_4_bits")},
    "weights_of_8_bits": lambda: linear(ao.Int8WeightOnlyConfig()),
    "dynamic_8_bits": lambda: linear(ao.Int8DynamicActivationInt8WeightConfig()),
    "dynamic_any_bits": lambda: linear(ao.Int8DynamicActivationIntxWeightConfig()),
    "static_8_bits": static_codes,
}  # fmt: skip


def forget_places(program) -> None:
    """Removes stack traces, which have the paths of whoever exports."""
    for module in program.graph_module.modules():
        if isinstance(module, torch.fx.GraphModule):
            for node in module.graph.nodes:
                node.meta.pop("stack_trace", None)


def main() -> None:
    arrays = {}
    for name, make in CASES.items():
        torch.manual_seed(SEED)
        try:
            model, shape = make()
            x = torch.randn(shape)
            if hasattr(model, "training") and name.startswith(("tfc", "codes")):
                for module in model.modules():  # weights that take little space
                    if isinstance(module, nn.Linear):
                        module.weight.data = torch.round(module.weight.data * 32) / 32
                model.train()
                with torch.no_grad():  # statistics of batch norms and of scales
                    for _ in range(2):
                        model(torch.randn(16, *shape[1:]))
                model.eval()
            with torch.no_grad():
                program = torch.export.export(model, (x,))
                # Without tensors of torchao's own types.
                if name.startswith(("dynamic", "weights")):
                    program = program.run_decompositions()
                y = model(x)
            forget_places(program)
            file = io.BytesIO()
            torch.export.save(program, file)
        except Exception as error:
            sys.exit(f"torch_fixtures: {name}: {error}")
        arrays |= {
            f"{name}/model": np.frombuffer(file.getvalue(), np.uint8),
            f"{name}/x0": x.numpy(),
            f"{name}/y0": y.detach().numpy(),
        }
    folder = Path(__file__).resolve().parents[2] / "test/Python/golden"
    np.savez_compressed(folder / "torch_exports.npz", **arrays)


if __name__ == "__main__":
    main()
