"""Networks of int8 whose tensors of one dimension name another axis for their scales, as some
converters write biases, for larq_fixtures.py."""

from __future__ import annotations

import numpy as np
from tensorflow.lite.tools import flatbuffer_utils

AXIS = 3


def with_other_axis(content: bytes) -> bytes:
    """The file with the axis 3 for all scales of tensors of one dimension."""
    model = flatbuffer_utils.convert_bytearray_to_object(bytearray(content))
    found = 0
    for tensor in model.subgraphs[0].tensors:
        quantization = tensor.quantization
        if quantization is not None and quantization.scale is not None and len(tensor.shape) == 1:
            quantization.quantizedDimension = AXIS
            found += np.size(quantization.scale) > 1
    assert found, "expected a tensor of one dimension with several scales"
    return bytes(flatbuffer_utils.convert_object_to_bytearray(model))
