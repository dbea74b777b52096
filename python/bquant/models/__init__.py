"""The networks of the paper, and small ones, on the layers of `bquant.nn`.

Every constructor returns an untrained torch module with an attribute `input_shape`: the shape of
one example, batch 1. It takes the schemes of weights and activations ("fp": not quantized);
`bireal18` and `reactnet` have signs of both. First and last layers are float throughout.
`calibrate` gives a network its running averages.

    model = bquant.models.resnet18(weights="ls-1", activations="ls-2")
    bquant.models.calibrate(model, batches)  # or train it
    net = bquant.compile(model, torch.zeros(model.input_shape))

`load` gives trained ones (`names` says which).
"""

from .._requirements import import_torch

import_torch("bquant.models")

from ..nn import paper_clamp
from .bireal import bireal18
from .calibration import calibrate
from .lenet import lenet
from .mlp import mlp
from .reactnet import reactnet
from .resnet import resnet18
from .separable import depthwise_separable
from .vgg import vgg
from .zoo import load, names

__all__ = [
    "bireal18",
    "calibrate",
    "depthwise_separable",
    "lenet",
    "load",
    "mlp",
    "names",
    "paper_clamp",
    "reactnet",
    "resnet18",
    "vgg",
]
