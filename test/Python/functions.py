"""Functions as modules of PyTorch."""

import io
import warnings

import torch


class Function(torch.nn.Module):
    """Of its inputs and, by their names, of what it owns: modules, tensors or shapes of random
    ones."""

    def __init__(self, function, **owned):
        super().__init__()
        self.function, self.names = function, list(owned)
        for name, value in owned.items():
            if isinstance(value, (torch.nn.Module, torch.nn.Parameter)):
                setattr(self, name, value)
            else:
                self.register_buffer(
                    name, torch.randn(value) if isinstance(value, tuple) else value
                )

    def forward(self, *inputs):
        return self.function(*inputs, **{name: getattr(self, name) for name in self.names})


def exported(function, *inputs):
    return torch.export.export(Function(function), inputs)


def to_onnx(model, x):
    """A file as the older exporter of torch writes it, of plain operations."""
    file = io.BytesIO()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that this exporter is the older one
        torch.onnx.export(model, (x,), file, dynamo=False, opset_version=17)
    return file.getvalue()


def sign(x):
    """+1 of both zeros, -1 of NaN."""
    return torch.where(x >= 0, 1.0, -1.0)
