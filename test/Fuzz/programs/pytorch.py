"""Writes programs as modules of PyTorch."""

import re

import numpy as np

from .grammar import Reject, known

FUNCTIONS = {
    "abs": "torch.abs", "round": "torch.round", "floor": "torch.floor", "ceil": "torch.ceil",
    "sqrt": "torch.sqrt", "exp": "torch.exp", "tanh": "torch.tanh",
}  # fmt: skip
# Packages of operations, torch.ops.NAME, that templates call.
OPERATORS = ("aten", "bquant", "quantized_decomposed")
BINARY = {"add": "+", "sub": "-", "mul": "*", "div": "/"}
COMPARISONS = {"oge": ">=", "ogt": ">", "ole": "<=", "olt": "<", "oeq": "==", "une": "!="}
OPERATIONS = {
    *FUNCTIONS, *BINARY, *COMPARISONS,
    "minimum", "maximum", "neg", "where", "cast", "number", "operand",
}  # fmt: skip


def even(pads):
    """What a convolution itself pads with, on both sides alike."""
    top, left, bottom, right = pads
    return (top, left) if (top, left) == (bottom, right) else (0, 0)


def uneven(pads):
    return pads if even(pads) == (0, 0) else (0, 0, 0, 0)


class Operand:
    """A value as a template sees it; a constant is a buffer of the module."""

    def __init__(self, writer, value, dims=None):
        self.writer, self.value, self.dims, self.shape = writer, value, dims, value.shape

    def __str__(self):
        return self.writer.name(self.value)

    def by(self, letters):
        """In another order of the dimensions that the signature has."""
        order = [self.dims.index(letter) for letter in letters]
        if order == sorted(order):
            return str(self)
        if self.value.array is not None and not self.value.hidden:
            return self.writer.buffer(self.value.array.transpose(order))
        return f"{self}.permute({', '.join(map(str, order))})"


class Writer:
    """The body of `forward`, and the buffers that it reads."""

    def __init__(self, program):
        self.program, self.lines, self.buffers, self.names = program, [], {}, {}

    def buffer(self, array):
        name = f"c{len(self.buffers)}"
        self.buffers[name] = np.array(array, order="C")
        return f"self.{name}"

    def name(self, value):
        if value.array is None or value.hidden:
            return value.name
        if value.name not in self.names:
            self.names[value.name] = self.buffer(value.array)
        return self.names[value.name]

    def write(self):
        """The source of the class `Program`."""
        program = self.program
        for step in program.steps:
            if step.expression is not None:
                self.lines.append(f"{step.result.name} = {self.write_expression(step)}")
            else:
                self.write_row(step)
        arguments = ", ".join(["self", *(v.name for v in program.arguments)])
        results = ", ".join(v.name for v in program.results)
        body = [*self.lines, f"return {results}"]
        return "\n".join(
            [
                "class Program(nn.Module):",
                "    def __init__(self, buffers):",
                "        super().__init__()",
                "        for name, array in buffers.items():",
                "            self.register_buffer(name, torch.from_numpy(array.copy()))",
                "",
                f"    def forward({arguments}):",
                *("        " + line for line in body),
                "",
            ]
        )

    def write_row(self, step):
        row = self.program.level.row(step.name)
        dims = {o.name: self.program._dims(o) for o in row.operands}
        names = dict(step.letters)
        for name, value in step.operands.items():
            names[name] = Operand(self, value, dims[name])
        names["y"] = step.result.name
        names |= {"padded": self.padded, "even": even, "uneven": uneven, "known": known}
        names |= {"shape": self.shape(step.result), "buffer": self.buffer, "np": np}
        text = re.sub(r"\$\{([^}]*)\}", lambda m: str(eval(m[1], names)), step.template.strip())
        self.lines += [line.strip() for line in text.split("\n")]

    @staticmethod
    def padded(operand, pads, value=0.0):
        top, left, bottom, right = pads
        if not any(pads):
            return str(operand)
        return f"F.pad({operand}, ({left}, {right}, {top}, {bottom}), value={value})"

    def shape(self, value):
        """Of a reshape: the batch may be of any size."""
        sizes = list(value.shape)
        if value.batched and sizes:
            sizes[0] = f"{self.program.arguments[0].name}.shape[0]"
        return ", ".join(map(str, sizes)) or "()"

    def write_expression(self, step):
        shape = step.result.shape
        around = [1] * len(shape)
        around[self.program.channel_dim(step.result)] = -1

        def emit(node):
            """The text, and whether it is a tensor."""
            if node.op == "number":
                return repr(float(node.value)), False
            if node.op == "operand":
                value = step.operands[node.value]
                text = self.name(value)
                if value.shape != shape and len(shape) > 1:
                    text = f"{text}.view({', '.join(map(str, around))})"
                return text, True
            args = [emit(arg) for arg in node.args]
            texts = [text for text, _ in args]
            if node.op == "where" and args[0][1]:
                return f"torch.where({', '.join(texts)})", True
            if not any(is_tensor for _, is_tensor in args):
                if node.op != "neg":
                    raise Reject
                return f"(-{texts[0]})", False
            if node.op in FUNCTIONS:
                return f"{FUNCTIONS[node.op]}({texts[0]})", True
            if node.op in {**BINARY, **COMPARISONS}:
                return f"({texts[0]} {({**BINARY, **COMPARISONS})[node.op]} {texts[1]})", True
            if node.op == "neg":
                return f"(-{texts[0]})", True
            if node.op == "cast":
                return f"{texts[0]}.float()", True
            if node.op in ("minimum", "maximum"):
                if all(is_tensor for _, is_tensor in args):
                    return f"torch.{node.op}({', '.join(texts)})", True
                tensor, number = texts if args[0][1] else texts[::-1]
                bound = "max" if node.op == "minimum" else "min"
                return f"{tensor}.clamp({bound}={number})", True
            raise Reject

        text, is_tensor = emit(step.expression)
        if not is_tensor or step.expression.op == "operand":
            raise Reject
        return text
