"""Types that the signatures of several modules name. Only type checkers import this module, since
it needs all frameworks."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

import numpy as np
import onnx
import torch

Model = (
    torch.nn.Module
    | torch.export.ExportedProgram
    | onnx.ModelProto
    | str
    | os.PathLike[str]
    | bytes
)

# A tensor or an array, or what the model takes: lists and dicts of tensors among it.
Examples = torch.Tensor | np.ndarray[Any, Any] | Sequence[Any]
