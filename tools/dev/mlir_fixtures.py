"""Makes test/Python/golden/mlir_integers.npz: programs of integers in linalg and TOSA, and what
upstream's own lowering of them gives. `./dev fixtures` runs it; it needs mlir-opt-22,
mlir-translate-22 and clang-22.

Of each case NAME there are the program as text, `NAME/model`, inputs and outputs by number,
`NAME/x0`, `NAME/y0`.
"""

from __future__ import annotations

import ctypes
import subprocess
import tempfile
from pathlib import Path

import numpy as np

LIBRARIES = "/usr/lib/llvm-22/lib"
LOWERING = (
    "builtin.module(func.func(tosa-optional-decompositions,tosa-make-broadcastable,"
    "tosa-to-linalg-named,tosa-make-broadcastable,tosa-to-linalg,tosa-to-scf,tosa-to-tensor,"
    "tosa-to-arith{include-apply-rescale=true}),canonicalize,"
    "func.func(linalg-generalize-named-ops),convert-elementwise-to-linalg,"
    "one-shot-bufferize{bufferize-function-boundaries=true "
    "function-boundary-type-conversion=identity-layout-map},"
    "buffer-results-to-out-params{modify-public-functions=true},"
    "func.func(convert-linalg-to-loops),expand-strided-metadata,lower-affine,convert-scf-to-cf,"
    "convert-math-to-llvm,convert-math-to-libm,arith-expand,convert-arith-to-llvm,"
    "convert-index-to-llvm,finalize-memref-to-llvm,"
    "convert-func-to-llvm{use-bare-ptr-memref-call-conv=true},convert-cf-to-llvm,"
    "reconcile-unrealized-casts)"
)
NUMPY = {"i8": np.int8, "i16": np.int16, "i32": np.int32, "i64": np.int64, "f32": np.float32}
SEED = 3
random = np.random.default_rng(SEED)


def type_of(element: str, shape) -> str:
    return f"tensor<{'x'.join(map(str, (*shape, element)))}>"


def drawn(element: str, shape) -> np.ndarray:
    if element == "f32":
        return random.standard_normal(shape).astype(np.float32)
    limits = np.iinfo(NUMPY[element])
    return random.integers(limits.min, limits.max, shape, endpoint=True).astype(NUMPY[element])


class Program:
    """A function `f` under construction: values by name, as (name, type)."""

    def __init__(self, *inputs):
        self.inputs, self.lines, self.given = inputs, [], None

    def input(self, number: int):
        return f"%x{number}", type_of(*self.inputs[number])

    def op(self, text: str, result: str):
        name = f"%{len(self.lines)}"
        self.lines.append(f"  {name} = {text}")
        return name, result

    def constant(self, array, element: str, tosa: bool = False):
        array = np.asarray(array, NUMPY[element])
        type_ = type_of(element, array.shape)
        dense = f'dense<"0x{array.tobytes().hex().upper()}"> : {type_}'
        if tosa:
            return self.op(f'"tosa.const"() <{{values = {dense}}}> : () -> {type_}', type_)
        return self.op(f"arith.constant {dense}", type_)

    def scalar(self, number: int):
        return self.op(f"arith.constant {number} : i32", "i32")

    def linalg(self, op: str, operands, shape, attributes: str = ""):
        """A sum in i32 that starts from zeros."""
        type_ = type_of("i32", shape)
        zero, empty = self.scalar(0), self.op(f"tensor.empty() : {type_}", type_)
        init = self.op(f"linalg.fill ins({zero[0]} : i32) outs({empty[0]} : {type_}) -> {type_}",
                       type_)  # fmt: skip
        names, types = (", ".join(o[i] for o in operands) for i in (0, 1))
        return self.op(
            f"linalg.{op} {attributes} ins({names} : {types}) outs({init[0]} : {type_}) -> {type_}",
            type_,
        )

    def tosa(self, op: str, operands, result: str, attributes: str = ""):
        names, types = (", ".join(o[i] for o in operands) for i in (0, 1))
        return self.op(f"tosa.{op} {names} {attributes} : ({types}) -> {result}", result)

    def rescale(self, x, element: str, shape, factors, shifts, zeros, *,
                mode="DOUBLE_ROUND", wide=True, unsigned=("false", "false")):  # fmt: skip
        given = x[1].rsplit("x", 1)[1][:-1]
        operands = [
            x,
            self.constant(factors, "i32" if wide else "i16", tosa=True),
            self.constant(shifts, "i8", tosa=True),
            self.constant(zeros[:1], given, tosa=True),
            self.constant(zeros[1:], element, tosa=True),
        ]
        several = str(len(factors) > 1).lower()
        return self.tosa(
            "rescale", operands, type_of(element, shape),
            f"{{scale32 = {str(wide).lower()}, rounding_mode = {mode}, per_channel = {several}, "
            f"input_unsigned = {unsigned[0]}, output_unsigned = {unsigned[1]}}}",
        )  # fmt: skip

    def text(self, *results) -> str:
        arguments = ", ".join(f"%x{i}: {type_of(*x)}" for i, x in enumerate(self.inputs))
        names, types = (", ".join(r[i] for r in results) for i in (0, 1))
        lines = "\n".join(self.lines)
        return (
            f"func.func @f({arguments}) -> ({types}) {{\n{lines}\n  return {names} : {types}\n}}\n"
        )


def run(text: str, inputs, outputs) -> list[np.ndarray]:
    """Upstream's lowering, called with bare pointers."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder)
        (path / "f.mlir").write_text(text)
        for command in (
            ["mlir-opt-22", path / "f.mlir", f"--pass-pipeline={LOWERING}", "-o", path / "l.mlir"],
            ["mlir-translate-22", "--mlir-to-llvmir", path / "l.mlir", "-o", path / "f.ll"],
            ["clang-22", "-w", "-shared", "-fPIC", "-O1", "-x", "ir", path / "f.ll", "-o",
             path / "f.so", "-lm", f"-L{LIBRARIES}", "-lmlir_c_runner_utils",
             f"-Wl,-rpath,{LIBRARIES}"],
        ):  # fmt: skip
            subprocess.run(command, check=True)
        results = [np.zeros(shape, NUMPY[element]) for element, shape in outputs]
        arrays = [np.ascontiguousarray(a) for a in (*inputs, *results)]
        ctypes.CDLL(path / "f.so").f(*(a.ctypes.data_as(ctypes.c_void_p) for a in arrays))
        return arrays[len(inputs) :]


# Linalg's quantized operations: input, filter and result, attributes.
QUANTIZED = {
    "conv_2d_nchw_fchw_q": ((1, 8, 6, 5), (4, 8, 3, 3), (1, 4, 4, 3), ""),
    "conv_2d_nhwc_hwcf_q": ((1, 6, 5, 8), (3, 3, 8, 4), (1, 4, 3, 4), ""),
    "conv_2d_nhwc_fhwc_q": ((1, 6, 5, 8), (4, 3, 3, 8), (1, 2, 1, 4),
                            "{strides = dense<2> : tensor<2xi64>}"),
    "conv_2d_ngchw_gfchw_q": ((1, 2, 4, 6, 5), (2, 3, 4, 3, 3), (1, 2, 3, 4, 3), ""),
    "conv_2d_nhwgc_gfhwc_q": ((1, 6, 5, 2, 4), (2, 3, 3, 3, 4), (1, 4, 3, 2, 3), ""),
    "conv_3d_ndhwc_dhwcf_q": ((1, 4, 6, 5, 4), (2, 3, 3, 4, 4), (1, 3, 4, 3, 4), ""),
    "depthwise_conv_2d_nhwc_hwc_q": ((1, 6, 5, 8), (3, 3, 8), (1, 4, 3, 8), ""),
    "depthwise_conv_2d_nhwc_hwcm_q": ((1, 6, 5, 8), (3, 3, 8, 2), (1, 4, 3, 8, 2), ""),
    "quantized_matmul": ((5, 16), (16, 7), (5, 7), ""),
    "quantized_batch_matmul": ((3, 5, 16), (3, 16, 7), (3, 5, 7), ""),
}  # fmt: skip


def quantized(op: str, zeros, constant: bool):
    x, w, y, attributes = QUANTIZED[op]
    program = Program(("i8", x), *([] if constant else [("i8", w)]))
    filters = program.constant(drawn("i8", w), "i8") if constant else program.input(1)
    points = [program.scalar(z) for z in zeros]
    result = program.linalg(op, [program.input(0), filters, *points], y, attributes)
    return program, [("i32", y)], [result]


# Element types of input and result, factors, shifts, zero points, more.
RESCALES = {
    "to_i8": ("i32", "i8", [1073741824], [38], [0, -3], {}),
    "single": ("i32", "i8", [1073741824], [38], [0, -3], {"mode": "SINGLE_ROUND"}),
    "channels": ("i32", "i8", [1073741824, 1500000001, 2000000003, 1234567], [38, 39, 40, 33],
                 [0, 5], {}),
    "to_i32": ("i8", "i32", [1073741824], [20], [-7, 0], {}),
    "bytes": ("i8", "i8", [1340000000], [31], [-7, 9], {}),
    "to_i16": ("i8", "i16", [1340000000], [25], [-7, 0], {}),
    "narrow": ("i32", "i8", [20000], [36], [0, 4], {"wide": False, "mode": "SINGLE_ROUND"}),
    "unsigned": ("i8", "i8", [1340000000], [31], [-7, 9], {"unsigned": ("true", "true")}),
}  # fmt: skip


def rescaled(name: str):
    given, element, factors, shifts, zeros, more = RESCALES[name]
    program = Program((given, (2, 3, 4)))
    result = program.rescale(program.input(0), element, (2, 3, 4), factors, shifts, zeros, **more)
    return program, [(element, (2, 3, 4))], [result]


def apply_scale():
    program = Program(("i32", (7,)))
    factor, shift = program.scalar(1340000003), program.op("arith.constant 38 : i8", "i8")
    type_ = type_of("i32", (7,))
    empty = program.op(f"tensor.empty() : {type_}", type_)
    result = program.op(
        "linalg.generic {indexing_maps = [affine_map<(a) -> (a)>, affine_map<(a) -> (a)>], "
        f'iterator_types = ["parallel"]}} ins(%x0 : {type_}) outs({empty[0]} : {type_}) {{\n'
        "  ^bb0(%a: i32, %b: i32):\n"
        f"    %c = tosa.apply_scale %a, {factor[0]}, {shift[0]} {{rounding_mode = DOUBLE_ROUND}} : "
        f"(i32, i32, i8) -> i32\n    linalg.yield %c : i32\n  }} -> {type_}",
        type_,
    )
    return program, [("i32", (7,))], [result]


NUMBERS = np.array([2.5, 3.5, -2.5, -0.5, 1.5, 1e10, -1e10, np.inf, -np.inf, 127.5, 128.5, -129,
                    0.49999997, -0.0, 32767.5, 40000], np.float32)  # fmt: skip


def cast(element: str):
    program = Program(("f32", NUMBERS.shape))
    result = program.tosa("cast", [program.input(0)], type_of(element, NUMBERS.shape))
    return program, [(element, NUMBERS.shape)], [result]


def zeros_of(op: str):
    """Zeros keep their sign."""
    shape = (9,)
    program = Program(("f32", shape))
    type_ = type_of("f32", shape)
    whole = program.op(f"math.{op} %x0 : {type_}", type_)
    one = program.constant(np.ones(shape), "f32")
    inverse = program.op(f"arith.divf {one[0]}, {whole[0]} : {type_}", type_)
    sign = program.op(f"math.copysign {one[0]}, {whole[0]} : {type_}", type_)
    return program, [("f32", shape)] * 2, [inverse, sign]


def network(filters, weights, exponent: int):
    """An image of 8-bit codes through a convolution, a pool, a depthwise convolution and a
    classifier, rescaled behind each, as converters of quantized networks write TOSA."""
    p = Program(("i8", (1, 8, 8, 4)))

    def zero(number, element="i8"):
        return p.constant([number], element, tosa=True)

    def window(op, x, w, bias, input_zero, shape):
        operands = [x, w, p.constant(bias, "i32", tosa=True), zero(input_zero), zero(0)]
        around = "pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 1, 1>"
        return p.tosa(op, operands, type_of("i32", shape),
                      f"{{acc_type = i32, {around}, dilation = array<i64: 1, 1>}}")  # fmt: skip

    first = window("conv2d", p.input(0), p.constant(filters, "i8", tosa=True),
                   random.integers(-3000, 3000, 8), -5, (1, 8, 8, 8))  # fmt: skip
    factors = random.integers(1 << 30, (1 << 31) - 1, 8)
    codes = p.rescale(first, "i8", (1, 8, 8, 8), factors, [exponent] * 8, [0, -11])
    pooled = p.tosa("max_pool2d", [codes], type_of("i8", (1, 4, 4, 8)),
                    "{kernel = array<i64: 2, 2>, pad = array<i64: 0, 0, 0, 0>, "
                    "stride = array<i64: 2, 2>}")  # fmt: skip
    each = p.constant(drawn("i8", (3, 3, 8, 1)), "i8", tosa=True)
    second = window("depthwise_conv2d", pooled, each, random.integers(-99, 99, 8), -11,
                    (1, 4, 4, 8))  # fmt: skip
    codes = p.rescale(second, "i8", (1, 4, 4, 8), [1500000000], [42], [0, 3])
    shape = p.op("tosa.const_shape {values = dense<[1, 1, 128]> : tensor<3xindex>} : "
                 "() -> !tosa.shape<3>", "!tosa.shape<3>")  # fmt: skip
    flat = p.tosa("reshape", [codes, shape], type_of("i8", (1, 1, 128)))
    table = p.constant(weights[None], "i8", tosa=True)
    scores = p.tosa("matmul", [flat, table, zero(3), zero(0)], type_of("i32", (1, 1, 5)))
    return p, [("i32", (1, 1, 5))], [scores]


def trained():
    """Filters and weights in 8 bits of a ridge regression of five kinds of stripes."""
    angles = np.pi * np.arange(5) / 5
    grid = np.stack(np.meshgrid(np.arange(8), np.arange(8), indexing="ij"), -1)
    kinds = random.integers(0, 5, 400)
    phase = random.random(400) * 6.28
    along = grid @ np.stack([np.cos(angles[kinds]), np.sin(angles[kinds])])
    images = np.sin(along.transpose(2, 0, 1) * 1.5 + phase[:, None, None])
    images += random.standard_normal(images.shape) * 0.3
    patches = np.lib.stride_tricks.sliding_window_view(images, (3, 3), (1, 2)).reshape(-1, 9)
    components = np.linalg.eigh(patches.T @ patches)[1][:, -8:].T.reshape(8, 3, 3, 1)
    filters = np.round(components / np.abs(components).max() * 127).repeat(4, 3)
    features = images.reshape(400, 64) @ random.standard_normal((64, 128)) / 8
    square = features.T @ features + np.eye(128)
    weights = np.linalg.solve(square, features.T @ np.eye(5)[kinds])
    return filters, np.round(weights / np.abs(weights).max() * 127)


def cases() -> dict:
    made = {}
    for op in QUANTIZED:
        made[op] = quantized(op, (3, -2), constant=True)
    for op in ("conv_2d_nhwc_hwcf_q", "quantized_batch_matmul", "depthwise_conv_2d_nhwc_hwc_q"):
        made[f"{op}_far"] = quantized(op, (-128, 127), constant=True)
        made[f"{op}_of_run_time"] = quantized(op, (3, -2), constant=False)
    made |= {f"rescale_{name}": rescaled(name) for name in RESCALES}
    made["apply_scale"] = apply_scale()
    made |= {f"cast_{element}": cast(element) for element in ("i8", "i16", "i32")}
    made |= {f"zeros_of_{op}": zeros_of(op) for op in ("ceil", "floor", "trunc")}
    made["network_random"] = network(drawn("i8", (8, 3, 3, 4)), drawn("i8", (128, 5)), 42)
    made["network_trained"] = network(*trained(), 42)
    return made


def main() -> None:
    arrays = {}
    for name, (program, outputs, results) in cases().items():
        text = program.text(*results)
        inputs = [drawn(*x) for x in program.inputs]
        if name.startswith("cast"):
            inputs = [NUMBERS]
        if name.startswith("zeros"):
            inputs = [np.array([-0.25, 0.25, -0.0, 0.0, -1.5, 1.5, -0.999, 0.5, 3], np.float32)]
        results = run(text, inputs, outputs)
        arrays[f"{name}/model"] = np.frombuffer(text.encode(), np.uint8)
        arrays |= {f"{name}/x{i}": x for i, x in enumerate(inputs)}
        arrays |= {f"{name}/y{i}": y for i, y in enumerate(results)}
    folder = Path(__file__).resolve().parents[2] / "test/Python/golden"
    np.savez_compressed(folder / "mlir_integers.npz", **arrays)


if __name__ == "__main__":
    main()
