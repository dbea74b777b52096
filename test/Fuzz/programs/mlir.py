"""Writes programs as MLIR: bquant ops, linalg, arith and tensor."""

import re

import numpy as np

from .grammar import Reject

# Of the writer, what templates may call.
HELPERS = (
    "fill", "padded", "empty", "scalar", "sizes", "batch", "window",
    "splat", "tensor", "constant", "attribute", "shape", "numbers", "zeros", "full", "reshape",
)  # fmt: skip
DTYPES = {"float32": "f32", "int32": "i32", "int8": "i8"}
ELEMENTS = {"f32": "f32", "i32": "i32", "i8": "i8", "i1": "i1"}


def number(value):
    if np.isinf(value):
        return "0x7F800000" if value > 0 else "0xFF800000"
    return f"{np.float32(value):.9e}"


def planes_type(shape, planes):
    kind = f"[{', '.join(map(str, planes.ratios))}]" if planes.ratios else str(planes.count)
    axes = f", axes = [{', '.join(map(str, planes.axes))}]" if planes.axes else ""
    offset = ", offset" if planes.offset else ""
    return f"!bquant.tensor<{'x'.join(map(str, shape))}, {kind}{axes}{offset}>"


def dense(array):
    """The numbers of a constant; bytes, but for a few."""
    if array.size <= 4:
        if array.dtype != np.float32:
            return f"dense<{array.tolist()}>"
        text = re.sub(r"[^][, ]+", lambda m: number(float(m[0])), str(array.tolist()))
        return f"dense<{text}>"
    if (array == array.flat[0]).all():
        return dense(array.flat[0].reshape(()))
    return f'dense<"0x{array.astype(array.dtype.newbyteorder("<")).tobytes().hex().upper()}">'


class Operand:
    """A value as a template sees it."""

    def __init__(self, writer, value, text=None, shape=None, dims=None):
        self.writer, self.value, self.dims = writer, value, dims
        self.text = text or "%" + value.name
        self.shape = tuple(value.shape if shape is None else shape)

    def __str__(self):
        return self.text

    @property
    def type(self):
        return self.writer.type_of(self.value, self.shape)

    def type_of(self, element):
        """With other elements."""
        return self.writer.tensor(self.shape, element, self.value.batched)

    def by(self, letters):
        """In another order of the dimensions that the signature has."""
        order = [self.dims.index(letter) for letter in letters]
        if order == sorted(order):
            return self
        made = self.writer.made
        if (self.value.name, letters) not in made:
            if self.value.array is not None and not self.value.hidden:
                name = self.writer.constant(self.value.array.transpose(order))
                shape = [self.shape[i] for i in order]
                result = Operand(self.writer, self.value, name, shape)
            else:
                result = self.writer.transpose(self, order)
            made[self.value.name, letters] = result
        return made[self.value.name, letters]


class Writer:
    """One function. `dynamic`: the batch has no size."""

    def __init__(self, program, dynamic=False):
        self.program, self.dynamic = program, dynamic
        self.lines, self.next = [], 0
        self.batch_size = None
        self.made = {}  # what templates name more than once

    # Types and names.

    def tensor(self, shape, element, batched=False):
        sizes = [str(size) for size in shape]
        if self.dynamic and batched:
            sizes[0] = "?"
        return f"tensor<{'x'.join([*sizes, element])}>"

    def type_of(self, value, shape=None):
        shape = value.shape if shape is None else shape
        batched = self.dynamic and value.batched
        if value.kind == "codes":
            return planes_type(["?", *shape[1:]] if batched else shape, value.planes)
        return self.tensor(shape, ELEMENTS[value.kind], batched)

    def new(self, hint="t"):
        self.next += 1
        return f"%{hint}_{self.next}"

    def put(self, line):
        self.lines.append("  " + line)

    # What templates use.

    def constant(self, array):
        array = np.array(array, order="C")
        element = DTYPES[str(array.dtype)]
        name = self.new("c")
        self.put(f"{name} = arith.constant {dense(array)} : {self.tensor(array.shape, element)}")
        return name

    def scalar(self, value, element="f32"):
        name = self.new("c")
        text = number(value) if element == "f32" else str(value)
        self.put(f"{name} = arith.constant {text} : {element}")
        return name

    def batch(self, operand):
        """The size of the first dimension."""
        if not (self.dynamic and operand.value.batched):
            return str(operand.shape[0])
        if self.batch_size is None:
            argument = next(v for v in self.program.arguments if v.batched)
            zero, self.batch_size = self.new("c"), self.new("n")
            type_ = self.type_of(argument)
            self.put(f"{zero} = arith.constant 0 : index")
            self.put(f"{self.batch_size} = tensor.dim %{argument.name}, {zero} : {type_}")
        return self.batch_size

    def sizes(self, operand):
        return f"[{', '.join([self.batch(operand), *map(str, operand.shape[1:])])}]"

    def window(self, *sizes):
        """What says the size of a pool's window."""
        name = self.new("w")
        self.put(f"{name} = tensor.empty() : {self.tensor(sizes, 'f32')}")
        return name

    def empty(self, value, shape=None, element=None):
        shape = value.shape if shape is None else shape
        element = element or ELEMENTS[value.kind]
        size = self.batch(Operand(self, value)) if self.dynamic and value.batched else ""
        name = self.new("e")
        self.put(f"{name} = tensor.empty({size}) : {self.tensor(shape, element, value.batched)}")
        return name

    def splat(self, operand, value, element="f32"):
        """A constant of the operand's shape."""
        dtype = {name: dtype for dtype, name in DTYPES.items()}[element]
        return self.constant(np.full(operand.shape, value, dtype))

    @staticmethod
    def attribute(operand):
        return dense(operand.value.array)

    @staticmethod
    def shape(operand):
        return "x".join(map(str, operand.shape))

    def fill(self, operand, value=0.0):
        """A tensor of the operand's type that holds this number."""
        element = ELEMENTS[operand.value.kind]
        empty = self.empty(operand.value, operand.shape)
        scalar = self.scalar(value if element == "f32" else int(value), element)
        name, type_ = self.new("z"), operand.type
        self.put(
            f"{name} = linalg.fill ins({scalar} : {element}) outs({empty} : {type_}) -> {type_}"
        )
        return name

    def transpose(self, operand, order):
        result = Operand(self, operand.value, self.new("t"), [operand.shape[i] for i in order])
        empty = self.empty(operand.value, result.shape)
        self.put(
            f"{result} = linalg.transpose ins({operand} : {operand.type}) "
            f"outs({empty} : {result.type}) permutation = {list(order)}"
        )
        return result

    def padded(self, operand, pads, value=0.0):
        """An image, channels last, with rows above and below, columns before and after."""
        if not any(pads):
            return operand
        if (made := self.made.get((str(operand), pads))) is not None:
            return made
        top, left, bottom, right = pads
        n, h, w, c = operand.shape
        shape = (n, h + top + bottom, w + left + right, c)
        result = self.made[str(operand), pads] = Operand(self, operand.value, self.new("p"), shape)
        scalar = self.scalar(value)
        self.put(
            f"{result} = tensor.pad {operand} low[0, {top}, {left}, 0] "
            f"high[0, {bottom}, {right}, 0] {{"
        )
        self.put("^bb0(%n: index, %i: index, %j: index, %k: index):")
        self.put(f"  tensor.yield {scalar} : f32")
        self.put(f"}} : {operand.type} to {result.type}")
        return result

    # Programs.

    def write(self):
        program = self.program
        for step in program.steps:
            if step.expression is not None:
                self.write_expression(step)
            else:
                self.write_row(step)
        arguments = []
        for value in program.arguments:
            attributes = ""
            if value.exact and not self.dynamic:
                exact = value.exact
                attributes = (
                    f" {{fuzz.step = {exact.step} : i64, fuzz.bound = {exact.bound} : i64}}"
                )
            arguments.append(f"%{value.name}: {self.type_of(value)}{attributes}")
        names = ", ".join("%" + v.name for v in program.results)
        types = ", ".join(self.type_of(v) for v in program.results)
        exact = " attributes {fuzz.exact}" if program.exact else ""
        return "\n".join(
            [
                f"func.func @p{program.seed}({', '.join(arguments)}) -> ({types}){exact} {{",
                *self.lines,
                f"  return {names} : {types}",
                "}",
            ]
        )

    def operand(self, value, dims=None):
        if value.array is not None and not value.hidden:
            if dims is not None:  # maybe in another order
                return LazyConstant(self, value, dims)
            return Operand(self, value, self.constant(value.array))
        return Operand(self, value, dims=dims)

    def write_row(self, step):
        row = self.program.level.row(step.name)
        dims = {o.name: self.program._dims(o) for o in row.operands}
        names = dict(step.letters)
        for name, value in step.operands.items():
            names[name] = self.operand(value, dims[name])
        names["y"] = Operand(self, step.result, dims=self.program._dims(row.result))
        for helper in HELPERS:
            if hasattr(self, helper):
                names[helper] = getattr(self, helper)
        self.next += 1
        suffix = self.next
        text = re.sub(r"(?<![$\w])%([a-z]\w*)", rf"%\1_{suffix}", step.template.strip())
        # What the operands take is written first.
        text = re.sub(r"\$\{([^}]*)\}", lambda m: str(eval(m[1], names)), text)
        for line in text.split("\n"):
            self.put(line.strip())

    # Expressions of each element.

    def write_expression(self, step):
        form = step.form
        if form == "whole" and self.dynamic and step.result.batched:
            form = "apart"
        operands = {name: self.operand(value) for name, value in step.operands.items()}
        if form == "fused":
            self.write_fused(step, operands)
            return
        emit = Whole if form == "whole" else Apart
        final = emit(self, step.result, operands).emit(step.expression)
        # The last name is that of the result.
        if any(final == str(operand) for operand in operands.values()) or step.expression.op in (
            "number",
            "operand",
        ):
            raise Reject
        self.name_result(final, step.result)

    def name_result(self, name, result):
        """Gives what was written last the name of a value."""
        for i in range(len(self.lines) - 1, -1, -1):
            if self.lines[i].startswith(f"  {name} = "):
                self.lines[i] = self.lines[i].replace(name, "%" + result.name, 1)
                return
        raise AssertionError(name)

    def channel_map(self, shape, value_shape, channel):
        names = [f"d{i}" for i in range(len(shape))]
        if tuple(value_shape) == tuple(shape):
            results = names
        elif not value_shape:
            results = []
        else:
            results = [names[channel]]
        return f"affine_map<({', '.join(names)}) -> ({', '.join(results)})>"

    def write_generic(self, ins, result, out_type, element, body, channel):
        """`body` of a linalg.generic on operands (text, type, shape)."""
        shape = result.shape
        maps = [self.channel_map(shape, s, channel) for _, _, s in ins]
        maps.append(self.channel_map(shape, shape, channel))
        iterators = ", ".join(['"parallel"'] * len(shape))
        empty = self.empty(result, shape, element)
        name = self.new("g")
        operands = ", ".join(text for text, _, _ in ins)
        types = ", ".join(type_ for _, type_, _ in ins)
        arguments = ", ".join(
            f"%x{i}: {re.search(r'x?(f32|i1|i32)>', type_)[1]}"
            for i, (_, type_, _) in enumerate(ins)
        )
        ins_text = f"ins({operands} : {types}) " if ins else ""
        separator = ", " if ins else ""
        self.put(
            f"{name} = linalg.generic {{indexing_maps = [{', '.join(maps)}], "
            f"iterator_types = [{iterators}]}} {ins_text}outs({empty} : {out_type}) {{"
        )
        self.put(f"^bb0({arguments}{separator}%out: {element}):")
        for line in body:
            self.put("  " + line)
        self.put(f"}} -> {out_type}")
        return name

    def write_fused(self, step, operands):
        result = step.result
        names = list(operands)
        body = Scalars(self, {name: f"%x{i}" for i, name in enumerate(names)})
        final = body.emit(step.expression)
        ins = [(str(o), o.type, o.shape) for o in operands.values()]
        channel = self.program.channel_dim(result)
        name = self.write_generic(
            ins,
            result,
            self.type_of(result),
            "f32",
            [*body.lines, f"linalg.yield {final} : f32"],
            channel,
        )
        self.name_result(name, result)


class LazyConstant(Operand):
    """A constant that is written in the order in which a template wants it."""

    def __init__(self, writer, value, dims):
        super().__init__(writer, value, dims=dims)
        self.text = None

    def __str__(self):
        if self.text is None:
            self.text = self.writer.constant(self.value.array)
        return self.text


UNARY = {
    "abs": "math.absf", "neg": "arith.negf", "round": "math.roundeven", "floor": "math.floor",
    "ceil": "math.ceil", "sqrt": "math.sqrt", "exp": "math.exp", "tanh": "math.tanh",
}  # fmt: skip
BINARY = {
    "add": "arith.addf", "sub": "arith.subf", "mul": "arith.mulf", "div": "arith.divf",
    "minimum": "arith.minimumf", "maximum": "arith.maximumf",
}  # fmt: skip
COMPARISONS = {"oge", "ogt", "ole", "olt", "oeq", "une", "uge", "ugt", "ule", "ult"}
OPERATIONS = {*UNARY, *BINARY, *COMPARISONS, "where", "cast", "number", "operand"}


class Arith:
    """Operations of `arith` and `math`: a subclass has `number`, `operand` and `make`, which writes
    one."""

    def emit(self, node):
        if node.op == "number":
            return self.number(node.value)
        if node.op == "operand":
            return self.operand(node.value)
        args = [self.emit(arg) for arg in node.args]
        if node.op in UNARY:
            return self.make(UNARY[node.op], args, "f32", ["f32"])
        if node.op in BINARY:
            return self.make(BINARY[node.op], args, "f32", ["f32", "f32"])
        if node.op in COMPARISONS:
            return self.make(f"arith.cmpf {node.op},", args, "i1", ["f32", "f32"])
        if node.op == "where":
            return self.make("arith.select", args, "f32", ["i1", "f32", "f32"])
        if node.op == "cast":
            return self.make("arith.uitofp", args, "f32", ["i1"])
        raise Reject

    @staticmethod
    def types_text(op, result, sources):
        """What follows the colon."""
        if op == "arith.uitofp":
            return f"{sources[0]} to {result}"
        if op == "arith.select":
            if sources[0].startswith("tensor"):
                return f"{sources[0]}, {result}"
            return result
        return sources[0]


class Scalars(Arith):
    """In the region of a linalg.generic."""

    def __init__(self, writer, operands):
        self.writer, self.operands = writer, operands
        self.lines = []

    def operand(self, name):
        return self.operands[name]

    def number(self, value):
        return self.writer.scalar(value)

    def make(self, op, args, result, sources):
        name = self.writer.new("s")
        self.lines.append(
            f"{name} = {op} {', '.join(args)} : {self.types_text(op, result, sources)}"
        )
        return name


class Whole(Arith):
    """On whole tensors."""

    def __init__(self, writer, result, operands):
        self.writer, self.result, self.operands = writer, result, operands

    def tensor(self, element):
        return self.writer.tensor(self.result.shape, element)

    def number(self, value):
        name = self.writer.new("c")
        self.writer.put(f"{name} = arith.constant dense<{number(value)}> : {self.tensor('f32')}")
        return name

    def operand(self, name):
        operand = self.operands[name]
        if operand.shape == self.result.shape:
            return str(operand)
        writer, shape = self.writer, self.result.shape
        channel = writer.program.channel_dim(self.result)
        dims = [i for i in range(len(shape)) if i != channel]
        empty = writer.new("e")
        broadcast = writer.new("b")
        writer.put(f"{empty} = tensor.empty() : {self.tensor('f32')}")
        writer.put(
            f"{broadcast} = linalg.broadcast ins({operand} : {operand.type}) "
            f"outs({empty} : {self.tensor('f32')}) dimensions = {dims}"
        )
        return broadcast

    def make(self, op, args, result, sources):
        name = self.writer.new("t")
        types = self.types_text(op, self.tensor(result), [self.tensor(s) for s in sources])
        self.writer.put(f"{name} = {op} {', '.join(args)} : {types}")
        return name


class Apart(Arith):
    """Each operation in a linalg.generic of its own; numbers are captured."""

    def __init__(self, writer, result, operands):
        self.writer, self.result, self.operands = writer, result, operands
        self.scalars, self.types = set(), {}

    def number(self, value):
        name = self.writer.scalar(value)
        self.scalars.add(name)
        return name

    def operand(self, name):
        operand = self.operands[name]
        self.types[str(operand)] = (operand.type, operand.shape)
        return str(operand)

    def make(self, op, args, result, sources):
        writer = self.writer
        tensors = [arg for arg in args if arg not in self.scalars]
        ins = [(arg, *self.types[arg]) for arg in tensors]
        places = iter(range(len(tensors)))
        inside = [arg if arg in self.scalars else f"%x{next(places)}" for arg in args]
        local = writer.new("s")
        body = [
            f"{local} = {op} {', '.join(inside)} : {self.types_text(op, result, sources)}",
            f"linalg.yield {local} : {result}",
        ]
        channel = writer.program.channel_dim(self.result)
        out = writer.tensor(self.result.shape, result, self.result.batched)
        name = writer.write_generic(ins, self.result, out, result, body, channel)
        self.types[name] = (out, self.result.shape)
        return name
