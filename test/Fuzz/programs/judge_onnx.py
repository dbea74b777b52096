"""Whether a compiled ONNX model agrees with onnx' evaluator and with ONNX Runtime, where that is
installed, be it by `./dev bench --peers`."""

import sys
from pathlib import Path

import numpy as np
import onnx
from onnx.reference import ReferenceEvaluator
from onnx.reference.op_run import OpRun

from . import judge_files

PEERS = Path(__file__).resolve().parents[3] / ".venv-peers"
sys.path += map(str, PEERS.glob("lib/python*/site-packages"))  # after all that is installed here
try:
    import onnxruntime
except ModuleNotFoundError:
    onnxruntime = None
RUNTIMES = {"ONNX Runtime (./dev bench --peers)": onnxruntime is not None}

STEPS = {
    "ArgMax", "ArgMin", "BipolarQuant", "Cast", "CastLike", "Ceil", "DynamicQuantizeLinear",
    "Equal", "Floor", "Greater", "GreaterOrEqual", "Hardmax", "IsInf", "IsNaN", "Less",
    "LessOrEqual", "Mod", "MultiThreshold", "QGemm", "Quant", "QuantizeLinear", "Round", "Shrink",
    "Sign", "ThresholdedRelu", "TopK",
}  # fmt: skip


QONNX = "qonnx.custom_op.general"
ROUNDINGS = {"ROUND": np.rint, "FLOOR": np.floor, "CEIL": np.ceil}


# What QONNX says of its operators (docs/qonnx-custom-ops there).


class Quant(OpRun):
    op_domain = QONNX

    def _run(self, x, scale, zero, bits, signed=1, narrow=0, rounding_mode="ROUND"):
        if signed and bits == 1:
            return (np.where(x >= 0, scale, -scale),)
        count = 2 ** int(bits)
        low = -count // 2 + narrow if signed else 0
        high = count // 2 - 1 if signed else count - 1 - narrow
        codes = ROUNDINGS[rounding_mode](np.clip(x / scale + zero, low, high))
        return ((codes - zero) * scale,)


class BipolarQuant(OpRun):
    op_domain = QONNX

    def _run(self, x, scale):
        return (np.where(x >= 0, scale, -scale),)


class MultiThreshold(OpRun):
    op_domain = QONNX

    def _run(self, x, thresholds, out_scale=1.0, out_bias=0.0):
        column = (1, -1, *[1] * (x.ndim - 2), thresholds.shape[1])
        reached = x[..., None] >= thresholds.reshape(column)
        return (np.float32(reached.sum(-1) * out_scale + out_bias),)


class GatherElements(OpRun):
    """The evaluator's own takes no more than 64 elements along the axis."""

    op_domain = ""

    def _run(self, data, indices, axis=0):
        return (np.take_along_axis(data, indices, axis),)


OPERATORS = [Quant, BipolarQuant, MultiThreshold, GatherElements]


def judge(program, in_all_ways=False):
    writer = program.level.open(program)
    content = writer.write()
    operators = {node.op_type for node in writer.nodes}
    steps = any(op in STEPS or op.startswith("QLinear") for op in operators)
    file = judge_files.File(content, runtimes(content), steps, writer.dynamic)
    return judge_files.judge(program, file, in_all_ways)


def runtimes(content):
    model = onnx.load_from_string(content)
    names = [x.name for x in model.graph.input]
    domains = {node.domain for node in model.graph.node}
    found = {}
    if domains <= {"", QONNX} and (evaluator := _evaluator(model)):
        found["onnx"] = lambda *call: evaluator.run(None, dict(zip(names, call, strict=True)))
    if onnxruntime and domains <= {"", "com.microsoft"}:
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads, options.log_severity_level = 1, 3
        options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
        session = onnxruntime.InferenceSession(content, options, providers=["CPUExecutionProvider"])
        found["onnxruntime"] = lambda *call: session.run(None, dict(zip(names, call, strict=True)))
    return found


def _evaluator(model):
    """None where it has an operator only of other versions, or is wrong: before opset 14
    BatchNormalization takes statistics of its input, ConvTranspose has no groups, and QLinearConv
    and QLinearMatMul add the zero point before they round."""
    operators = {node.op_type for node in model.graph.node}
    groups = [a.i for n in model.graph.node for a in n.attribute if a.name == "group"]
    if "BatchNormalization" in operators and model.opset_import[0].version < 14:
        return None
    if "ConvTranspose" in operators and max(groups) > 1:
        return None
    if operators & {"QLinearConv", "QLinearMatMul"}:
        return None
    try:
        return ReferenceEvaluator(model, new_ops=OPERATORS)
    except RuntimeError as error:
        if "No implementation" not in str(error):
            raise
        return None
