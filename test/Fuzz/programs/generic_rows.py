"""What a compiler or a person writes in linalg, arith, tensor and scf, and no frontend of this
project does: bodies, indexing maps, starts and sizes beside those that matchers look for.
"""

import dataclasses
from collections.abc import Callable

from .draw import CHANNELS, FEATURES
from .exact import Exact
from .grammar import row
from .rows import (
    convolve_depthwise,
    convolve_unpadded,
    features,
    features_of_each,
    know_batch,
    pool,
)
from .values import require

# Steps of reductions.


@dataclasses.dataclass
class Step:
    """Makes %r of %a, %b and what there is so far, %s. `exact` is what holds of the result after
    `count` steps."""

    text: str
    exact: Callable
    start: float = 0.0


def total(term):
    """Of sums of `term`."""
    return lambda a, b, count: term(a, b).sum(count)


def one(term):
    """Of what is one of the terms."""
    return lambda a, b, count: term(a, b)


LEAST, MOST = float("-inf"), float("inf")
MULTIPLY = "%p = arith.mulf %a, %b : f32\n"
ADD = "%r = arith.addf %s, %p : f32"


def product(a, b):
    return a * b


STEPS_OF_TWO = [
    Step(MULTIPLY + ADD, total(product)),
    Step("%p = arith.mulf %b, %a : f32\n%r = arith.addf %p, %s : f32", total(product)),
    Step("%r = math.fma %a, %b, %s : f32", total(product)),
    Step(MULTIPLY + "%r = arith.subf %s, %p : f32", total(product)),
    Step("%n = arith.negf %a : f32\n%p = arith.mulf %n, %b : f32\n" + ADD, total(product)),
    Step("%n = math.absf %a : f32\n%p = arith.mulf %n, %b : f32\n" + ADD, total(product)),
    Step(MULTIPLY + "%n = math.absf %p : f32\n%r = arith.addf %s, %n : f32", total(product)),
    Step(MULTIPLY + "%t = arith.addf %s, %p : f32\n%r = math.absf %t : f32", total(product)),
    Step(
        MULTIPLY + "%t = arith.addf %s, %p : f32\n%r = arith.addf %t, %p : f32",
        total(lambda a, b: (a * b).sum(2)),
    ),
    Step("%p = arith.mulf %a, %a : f32\n" + ADD, total(lambda a, b: a * a)),
    Step("%r = arith.addf %s, %a : f32", total(lambda a, b: a)),
    Step("%p = arith.addf %a, %b : f32\n" + ADD, total(lambda a, b: a + b)),
    Step(
        "%d = arith.subf %a, %b : f32\n%p = arith.mulf %d, %d : f32\n" + ADD,
        total(lambda a, b: (a + b) * (a + b)),
    ),
    Step(
        "%d = arith.subf %a, %b : f32\n%p = math.absf %d : f32\n" + ADD, total(lambda a, b: a + b)
    ),
    # Of bits.
    Step(
        "%c = arith.cmpf oeq, %a, %b : f32\n%p = arith.uitofp %c : i1 to f32\n" + ADD,
        total(lambda a, b: Exact(1)),
    ),
    Step(
        "%c = arith.cmpf une, %a, %b : f32\n%p = arith.sitofp %c : i1 to f32\n" + ADD,
        total(lambda a, b: Exact(1)),
    ),
    Step(
        MULTIPLY + "%c = arith.cmpf oge, %p, %zero : f32\n"
        "%q = arith.select %c, %a, %b : f32\n%r = arith.addf %s, %q : f32",
        total(lambda a, b: a | b),
    ),
    # No sums.
    Step(MULTIPLY + "%r = arith.maximumf %s, %p : f32", one(product), LEAST),
    Step(MULTIPLY + "%r = arith.minimumf %p, %s : f32", one(product), MOST),
    Step(MULTIPLY + "%r = arith.maxnumf %s, %p : f32", one(product), LEAST),
    Step(
        "%p = arith.addf %a, %b : f32\n%r = arith.minimumf %s, %p : f32",
        one(lambda a, b: a + b),
        MOST,
    ),
]
STEPS_OF_ONE = [
    Step("%r = arith.addf %s, %a : f32", total(lambda a, _: a)),
    Step("%r = arith.addf %a, %s : f32", total(lambda a, _: a)),
    Step("%r = arith.subf %s, %a : f32", total(lambda a, _: a)),
    Step("%p = math.absf %a : f32\n" + ADD, total(lambda a, _: a)),
    Step("%p = arith.mulf %a, %a : f32\n" + ADD, total(lambda a, _: a * a)),
    Step(
        "%c = arith.cmpf ogt, %a, %zero : f32\n%p = arith.uitofp %c : i1 to f32\n" + ADD,
        total(lambda a, _: Exact(1)),
    ),
    Step("%r = arith.maximumf %s, %a : f32", one(lambda a, _: a), LEAST),
    Step("%r = arith.maxnumf %a, %s : f32", one(lambda a, _: a), LEAST),
    Step("%r = arith.minimumf %a, %s : f32", one(lambda a, _: a), MOST),
    Step("%p = math.absf %a : f32\n%r = arith.maximumf %s, %p : f32", one(lambda a, _: a)),
    Step(
        "%c = arith.cmpf ogt, %a, %s : f32\n%r = arith.select %c, %a, %s : f32",
        one(lambda a, _: a),
    ),
]

# Steps of each element: %r of %a.

OF_FLOATS = [
    "%r = arith.negf %a : f32",
    "%r = arith.addf %a, %a : f32",
    "%c = arith.cmpf oge, %a, %zero : f32\n%r = arith.uitofp %c : i1 to f32",
]
OF_INTEGERS = [
    "%r = arith.addi %a, %k : i32",
    "%r = arith.subi %a, %k : i32",
    "%r = arith.subi %k, %a : i32",
    "%r = arith.andi %a, %k : i32",
    "%r = arith.ori %k, %a : i32",
    "%r = arith.xori %a, %k : i32",
    "%r = arith.maxsi %a, %k : i32",
    "%r = arith.minsi %k, %a : i32",
    "%r = arith.minui %a, %k : i32",
    "%c = arith.cmpi sge, %a, %k : i32\n%r = arith.select %c, %a, %k : i32",
    "%c = arith.cmpi ult, %a, %k : i32\n%r = arith.extui %c : i1 to i32",
    "%c = arith.cmpi slt, %a, %k : i32\n%r = arith.extsi %c : i1 to i32",
    "%u = arith.constant 3 : i32\n%r = arith.shrsi %a, %u : i32",
    "%u = arith.constant 255 : i32\n%p = arith.muli %a, %a : i32\n%r = arith.andi %p, %u : i32",
    "%u = arith.constant 4095 : i32\n%p = arith.muli %a, %k : i32\n%r = arith.andi %p, %u : i32",
    "%t = arith.trunci %a : i32 to i8\n%r = arith.extsi %t : i8 to i32",
    "%t = arith.trunci %a : i32 to i8\n%r = arith.extui %t : i8 to i32",
    "%r = math.ctpop %a : i32",
    "%r = math.absi %a : i32",
]

# What is drawn.


def region(arguments, text, constants=()):
    """The region of a linalg.generic; the last argument is that of the result."""
    made = [f"%{name} = arith.constant {value}" for name, value in constants]
    _, element = arguments[-1]
    names = ", ".join(f"%{name}: {type_}" for name, type_ in arguments)
    return "\n".join([f"^bb0({names}):", *made, text, f"linalg.yield %r : {element}"])


def loop(d, parallel, reduced, *operands):
    """Maps and iterator types; each operand has an expression for each of its dimensions."""
    names = [*parallel, *reduced]
    if d.chance(0.3):
        d.rng.shuffle(names)
    results = [", ".join(map(str, operand)) for operand in operands]
    maps = ", ".join(f"affine_map<({', '.join(names)}) -> ({text})>" for text in results)
    kinds = ", ".join('"parallel"' if n in parallel else '"reduction"' for n in names)
    d.loops = f"indexing_maps = [{maps}], iterator_types = [{kinds}]"


def loop_over_all(d):
    names = [f"d{i}" for i in range(len(d.r))]
    require(names)
    loop(d, names, [], names, names)


ZERO = [("zero", "0.0 : f32")]


def draw_step(d, steps, arguments):
    step = d.one_of(*steps)
    d.start = d.one_of(*[step.start] * 3, -0.0, 0.5, 1.0, -2.0)
    d.bound = step.exact  # what it starts from is at most 2
    d.region = region([(name, "f32") for name in arguments], step.text, ZERO)


def contract(d):
    d.o = d.one_of(*FEATURES)
    draw_step(d, STEPS_OF_TWO, "abs")
    loop(d, "no", "k", "nk", "ok", "no")


def place(d):
    return [f"i * {d.s} + p * {d.e}", f"j * {d.t} + q * {d.l}"]


def contract_windows(d):
    convolve_unpadded(d)
    draw_step(d, STEPS_OF_TWO, "abs")
    loop(d, "nijo", "pqk", ["n", *place(d), "k"], "opqk", "nijo")


def contract_depthwise(d):
    convolve_depthwise(d)
    require(not any(d.pads))
    draw_step(d, STEPS_OF_TWO, "abs")
    loop(d, "nijc", "pq", ["n", *place(d), "c"], "cpq", "nijc")


def reduce_windows(d):
    pool(d)
    draw_step(d, STEPS_OF_ONE, "aws")
    loop(d, "nijc", "pq", ["n", *place(d), "c"], "pq", "nijc")


def reduce(d):
    """Some dimensions, not the batch."""
    names = [f"d{i}" for i in range(len(d.r))]
    require(names)
    over = [name for name in names if d.chance(0.6)] or [names[-1]]
    kept = [name for name in names if name not in over]
    sizes = dict(zip(names, d.r, strict=True))
    d.u, d.count = tuple(sizes[name] for name in kept), 1
    for name in over:
        d.count *= sizes[name]
    draw_step(d, STEPS_OF_ONE, "as")
    loop(d, ["n", *kept], over, ["n", *names], ["n", *kept])


def reduce_some(d):
    """Elements whose number a value says, which is known at run time alone."""
    know_batch(d)
    require(d.k > 1)
    d.few = d.pick(1, d.k - 1)
    draw_step(d, [step for step in STEPS_OF_ONE if step.start == 0.0], "as")
    loop(d, "n", "k", "nk", "n")


def move(d):
    """Dimensions exchanged, read at one index, read twice, and new ones."""
    sizes, reads = {}, []
    for size in d.r:
        alike = [name for name in sizes if sizes[name] == size]
        if d.chance(0.25):
            reads.append(d.one_of(0, size - 1, d.pick(0, size - 1)))
        elif alike and d.chance(0.2):
            reads.append(d.one_of(*alike))
        else:
            reads.append(f"d{len(sizes)}")
            sizes[reads[-1]] = size
    for _ in range(d.one_of(0, 0, 1, 2)):
        sizes[f"d{len(sizes)}"] = d.one_of(1, 1, 2, 3)
    require(len(sizes) < 5)
    names = list(sizes)
    if d.chance(0.5):
        d.rng.shuffle(names)
    d.u = tuple(sizes[name] for name in names)
    loop(d, ["n", *names], [], ["n", *reads], ["n", *names])
    if d.chance(0.5):
        d.region = "^bb0(%a: f32, %s: f32):\nlinalg.yield %a : f32"
    else:
        d.region = region([("a", "f32"), ("s", "f32")], d.one_of(*OF_FLOATS), ZERO)


def move_unevenly(d):
    """Along one dimension from its end, again from its beginning, or each a few times."""
    axis = d.pick(0, len(d.r) - 1)
    size, by = d.r[axis], d.one_of(2, 3, 5)
    index, count = d.one_of(
        (f"{size - 1} - d{axis}", size),
        (f"d{axis} mod {size}", d.pick(1, 3 * size)),
        (f"d{axis} floordiv {by}", (size - 1) * by + d.pick(1, by)),
    )
    d.u = (*d.r[:axis], count, *d.r[axis + 1 :])
    names = [f"d{i}" for i in range(len(d.r))]
    reads = [*names[:axis], index, *names[axis + 1 :]]
    loop(d, ["n", *names], [], ["n", *reads], ["n", *names])
    d.region = region([("a", "f32"), ("s", "f32")], d.one_of(*OF_FLOATS), ZERO)


def update(d):
    """What there is, by a body that reads it."""
    loop_over_all(d)
    know_batch(d)
    op = d.one_of("addf %s, %a", "addf %a, %s", "subf %s, %a", "subf %a, %s")
    d.region = region([("a", "f32"), ("s", "f32")], f"%r = arith.{op} : f32")


def place_of_each(d):
    """A body that knows where it is."""
    loop_over_all(d)
    know_batch(d)
    axis = d.pick(0, len(d.r) - 1)
    compare = d.one_of("eq", "ult", "sge", "ne")
    text = f"""
        %i = linalg.index {axis} : index
        %c = arith.cmpi {compare}, %i, %k : index
        %n = arith.negf %a : f32
        %r = arith.select %c, %a, %n : f32"""
    index = [("k", f"{d.pick(0, d.r[axis])} : index")]
    d.region = region([("a", "f32"), ("s", "f32")], text, index)


def compare_doubles(d):
    loop_over_all(d)
    limit = d.one_of(0.1, 0.5, 0.5 + 2.0**-40, -0.25 - 2.0**-50, 0.0, 1e-60, -1e-60, 1.0)
    predicate = d.one_of("oge", "ogt", "ole", "olt", "ugt", "uge", "oeq", "une")
    text = f"""
        %d = arith.extf %a : f32 to f64
        %c = arith.cmpf {predicate}, %d, %k : f64
        %r = arith.select %c, %one, %minus : f32"""
    numbers = [("k", f"{limit:.20e} : f64"), ("one", "1.0 : f32"), ("minus", "-1.0 : f32")]
    d.region = region([("a", "f32"), ("s", "f32")], text, numbers)


def add_doubles(d):
    loop_over_all(d)
    number, op = d.one_of(0.5, -1.0, 3.0), d.one_of("addf", "subf", "mulf")
    text = f"""
        %d = arith.extf %a : f32 to f64
        %e = arith.{op} %d, %k : f64
        %r = arith.truncf %e : f64 to f32"""
    d.region = region([("a", "f32"), ("s", "f32")], text, [("k", f"{number} : f64")])


def halve(d):
    """As f16 or bf16, which rounds where its bits are too few."""
    loop_over_all(d)
    half, most = d.one_of(("f16", 2**11), ("bf16", 2**8))
    require(not d.exact or d.x.exact.bound < most and d.x.exact.step < 10)
    text = f"""
        %h = arith.truncf %a : f32 to {half}
        %r = arith.extf %h : {half} to f32"""
    d.region = region([("a", "f32"), ("s", "f32")], text)


def sign_bit(d):
    """Of numbers, not of zeros, whose sign is open."""
    require(d.exact and d.x in d.program.arguments)
    loop_over_all(d)
    text = d.one_of(
        """
        %i = arith.bitcast %a : f32 to i32
        %h = arith.shrui %i, %k : i32
        %r = arith.uitofp %h : i32 to f32""",
        """
        %i = arith.bitcast %a : f32 to i32
        %c = arith.cmpi slt, %i, %k : i32
        %r = arith.sitofp %c : i1 to f32""",
        """
        %i = math.copysign %one, %a : f32
        %r = arith.negf %i : f32""",
    )
    number = 31 if "shrui" in text else 0
    numbers = [("k", f"{number} : i32"), ("one", "1.0 : f32")]
    d.region = region([("a", "f32"), ("s", "f32")], text, numbers)


def to_integers(d):
    """Of numbers that i32 has."""
    require(d.exact and d.x.exact.bound >> d.x.exact.step < 2**12)
    loop_over_all(d)
    op = d.one_of("arith.fptosi", "arith.fptosi", "math.floor", "math.roundeven")
    text = "%r = arith.fptosi %a : f32 to i32"
    if op.startswith("math"):
        text = f"%i = {op} %a : f32\n%r = arith.fptosi %i : f32 to i32"
    d.region = region([("a", "f32"), ("s", "i32")], text)


def map_integers(d):
    loop_over_all(d)
    number = [("k", f"{d.one_of(0, 1, -1, 2, 5, -7, 100)} : i32")]
    d.region = region([("a", "i32"), ("s", "i32")], d.one_of(*OF_INTEGERS), number)


def compare_integers(d):
    loop_over_all(d)
    predicate = d.one_of("sge", "sgt", "sle", "slt", "eq", "ne", "ult", "uge")
    text = f"""
        %c = arith.cmpi {predicate}, %a, %k : i32
        %r = arith.select %c, %one, %minus : f32"""
    limit = d.one_of(0, 0, 1, -1, 3, -8, 50)
    numbers = [("k", f"{limit} : i32"), ("one", "1.0 : f32"), ("minus", "-1.0 : f32")]
    d.region = region([("a", "i32"), ("s", "f32")], text, numbers)


def contract_bytes(d):
    """Either side signed or not."""
    require(d.exact)
    d.o = d.one_of(*FEATURES)
    know_batch(d)
    left, right = d.one_of("si", "ui"), d.one_of("si", "ui")
    step = d.one_of("addi %s, %p", "addi %p, %s", "addi %s, %p", "maxsi %s, %p", "xori %s, %p")
    text = f"""
        %l = arith.ext{left} %a : i8 to i32
        %m = arith.ext{right} %b : i8 to i32
        %p = arith.muli %l, %m : i32
        %r = arith.{step} : i32"""
    d.start = d.one_of(0, 0, 0, 1, -100)
    d.region = region([("a", "i8"), ("b", "i8"), ("s", "i32")], text)
    loop(d, "no", "k", "nk", "ok", "no")


def multiply_bytes(d):
    contract_bytes(d)
    unsigned = "{cast = #linalg.type_fn<cast_unsigned>}"
    d.cast = d.one_of("", unsigned)


def contract_bits(d):
    """Of equal signs; how many or whether there is one."""
    d.o = d.one_of(*FEATURES)
    step = d.one_of("xori", "andi", "ori")
    text = d.one_of(
        f"%p = arith.{step} %a, %b : i1\n%q = arith.extui %p : i1 to i32\n%r = arith.addi %s, %q : i32",
        f"%p = arith.{step} %a, %b : i1\n%q = arith.extsi %p : i1 to i32\n%r = arith.subi %s, %q : i32",
        f"%p = arith.{step} %a, %b : i1\n%q = arith.extui %p : i1 to i32\n%r = arith.ori %q, %s : i32",
    )
    d.start = d.one_of(0, 0, -3)
    d.region = region([("a", "i1"), ("b", "i1"), ("s", "i32")], text)
    loop(d, "no", "k", "nk", "ok", "no")


def take_each_other(d):
    """Along one dimension, from any place on."""
    axis = d.pick(0, len(d.r) - 1)
    size = d.r[axis]
    step, first = d.one_of(1, 2, 3), d.pick(0, size - 1)
    count = d.pick(1, (size - 1 - first) // step + 1)
    d.u = (*d.r[:axis], count, *d.r[axis + 1 :])
    zeros = [0] * len(d.r)
    d.firsts = ", ".join(map(str, [0, *zeros[:axis], first, *zeros[axis + 1 :]]))
    d.counts = "".join(f", {size}" for size in d.u)
    d.steps = ", ".join(str(step if i == axis + 1 else 1) for i in range(len(d.r) + 1))


def choose(d):
    """By one number of x."""
    know_batch(d)
    d.index = [d.pick(0, size - 1) for size in d.x.shape]
    d.predicate = d.one_of("oge", "ogt", "une")


def repeat(d):
    know_batch(d)
    d.count = d.one_of(0, 1, 2, 3)


def place_line(d):
    """Windows of q along a line of w."""
    d.q, d.t = d.one_of(1, 2, 3, 5), d.one_of(1, 1, 2, 3)
    d.l, d.o = d.one_of(1, 1, 2), d.one_of(*CHANNELS)
    require(d.w > d.l * (d.q - 1))
    d.j = (d.w - d.l * (d.q - 1) - 1) // d.t + 1


def convolve_line(d):
    place_line(d)
    d.k = d.c


def convolve_volume(d):
    d.k, d.o = d.c, d.one_of(1, 2, 8)
    d.a, d.p, d.q = (d.pick(1, min(size, 2)) for size in (d.z, d.h, d.w))
    d.b, d.i, d.j = d.z - d.a + 1, d.h - d.p + 1, d.w - d.q + 1


def pack(d):
    """In tiles of the last dimension, the last of which is padded."""
    know_batch(d)
    d.t = d.one_of(1, 2, 4, 8, 16)
    d.m = -(-d.c // d.t)
    require(d.program.exact or d.c % d.t == 0)
    d.rank = len(d.x.shape)


def unpack(d):
    know_batch(d)
    d.c = d.pick((d.m - 1) * d.t + 1, d.m * d.t)
    d.rank = len(d.x.shape)


# How things are written.

OF_ONE = """
    ${y} = linalg.generic {${loops}} ins(${x} : ${x.type}) outs(${empty(y.value)} : ${y.type}) {
    ${region}
    } -> ${y.type}"""
REDUCED = """
    ${y} = linalg.generic {${loops}} ins(${x} : ${x.type}) outs(${fill(y, start)} : ${y.type}) {
    ${region}
    } -> ${y.type}"""
OF_TWO = """
    ${y} = linalg.generic {${loops}} ins(${x}, ${f} : ${x.type}, ${f.type})
    outs(${fill(y, start)} : ${y.type}) {
    ${region}
    } -> ${y.type}"""
FROM_BIAS = """
    %start = linalg.broadcast ins(${b} : ${b.type}) outs(${empty(y.value)} : ${y.type})
    dimensions = ${list(range(len(y.shape) - 1))}"""
BYTES = """
    %scaled = arith.mulf ${x}, ${splat(x, 4)} : ${x.type}
    %round = math.roundeven %scaled : ${x.type}
    %least = arith.maximumf %round, ${splat(x, -128)} : ${x.type}
    %most = arith.minimumf %least, ${splat(x, 127)} : ${x.type}
    %byte = arith.fptosi %most : ${x.type} to ${x.type_of('i8')}"""
# A layer of x into z; its body, and what it yields.
LAYER = """
    ${{y}} = bquant_packed.layer "${{y.value.name}}" ins(%of = ${{x}} : ${{x.type}}) outs(%to = ${{z}} : ${{z.type}}) {{
    {}
    bquant_packed.yield {} : ${{y.type}}
    }}"""
LAYER_OF_TWO = """
    %pair:2 = bquant_packed.layer "${{y.value.name}}" outs(%to = ${{z}} : ${{z.type}}, %also = ${{x}} : ${{x.type}}) {{
    {}
    bquant_packed.yield {} : ${{y.type}}, ${{y.type}}
    }}
    ${{y}} = arith.subf %pair#0, %pair#1 : ${{y.type}}"""
WINDOW = (
    "strides = dense<[${s}, ${t}]> : tensor<2xi64>, dilations = dense<[${e}, ${l}]> : tensor<2xi64>"
)


ROWS = [
    # Reductions.
    row(
        "contract",
        "x: f32[n,k], f: filter[o,k] -> f32[n,o]",
        contract,
        "bound(x, f, k) + Exact(4, 1)",
        weight=2,
        mlir=OF_TWO,
    ),
    row(
        "contract_windows",
        "x: f32[n,h,w,c], f: filter[o,p,q,k] -> f32[n,i,j,o]",
        contract_windows,
        "bound(x, f, p * q * k) + Exact(4, 1)",
        weight=2,
        mlir=OF_TWO,
    ),
    row(
        "contract_depthwise",
        "x: f32[n,h,w,c], f: filter[c,p,q] -> f32[n,i,j,c]",
        contract_depthwise,
        "bound(x, f, p * q) + Exact(4, 1)",
        mlir=OF_TWO,
    ),
    row(
        "matmul_from_bias",
        "x: f32[n,k], f: filter[o,k], b: vector[o] -> f32[n,o]",
        features,
        "(x * f).sum(k) + b",
        mlir=FROM_BIAS
        + """
            ${y} = linalg.matmul ins(${x}, ${f.by('ko')} : ${x.type}, ${f.by('ko').type})
            outs(%start : ${y.type}) -> ${y.type}""",
    ),
    row(
        "matmul_from_value",
        "x: f32[n,k], z: f32[n,o], f: filter[o,k] -> f32[n,o]",
        None,
        "(x * f).sum(k) + z",
        mlir="""
            ${y} = linalg.matmul ins(${x}, ${f.by('ko')} : ${x.type}, ${f.by('ko').type})
            outs(${z} : ${y.type}) -> ${y.type}""",
    ),
    row(
        "conv_2d_from_bias",
        "x: f32[n,h,w,c], f: filter[o,p,q,k], b: vector[o] -> f32[n,i,j,o]",
        convolve_unpadded,
        "(x * f).sum(p * q * k) + b",
        mlir=FROM_BIAS
        + f"""
            ${{y}} = linalg.conv_2d_nhwc_fhwc {{{WINDOW}}} ins(${{x}}, ${{f}} : ${{x.type}}, ${{f.type}})
            outs(%start : ${{y.type}}) -> ${{y.type}}""",
    ),
    row(
        "reduce_windows",
        "x: f32[n,h,w,c] -> f32[n,i,j,c]",
        reduce_windows,
        "bound(x, x, p * q) + Exact(4, 1)",
        mlir="""
            ${y} = linalg.generic {${loops}} ins(${x}, ${window(p, q)} : ${x.type}, tensor<${p}x${q}xf32>)
            outs(${fill(y, start)} : ${y.type}) {
            ${region}
            } -> ${y.type}""",
    ),
    row(
        "reduce",
        "x: f32[n,*r] -> f32[n,*u]",
        reduce,
        "bound(x, x, count) + Exact(4, 1)",
        weight=2,
        mlir=REDUCED,
    ),
    row(
        "reduce_some",
        "x: f32[n,k] -> f32[n]",
        reduce_some,
        "bound(x, x, k) + Exact(4, 1)",
        mlir="""
            %zero = arith.constant 0 : index
            %few = arith.constant ${few} : index
            %most = arith.constant ${k} : index
            %first = tensor.extract ${x}[%zero, %zero] : ${x.type}
            %isfew = arith.cmpf oge, %first, ${scalar(0.0)} : f32
            %size = arith.select %isfew, %few, %most : index
            %part = tensor.extract_slice ${x}[0, 0] [${batch(x)}, %size] [1, 1] : ${x.type} to tensor<${'?' if '?' in x.type else n}x?xf32>
            ${y} = linalg.generic {${loops}} ins(%part : tensor<${'?' if '?' in x.type else n}x?xf32>)
            outs(${fill(y, start)} : ${y.type}) {
            ${region}
            } -> ${y.type}""",
    ),
    row(
        "contract_bytes",
        "x: f32[n,k], f: bytes[o,k] -> i32[n,o]",
        contract_bytes,
        "Exact(0)",
        mlir=BYTES
        + """
            ${y} = linalg.generic {${loops}} ins(%byte, ${f} : ${x.type_of('i8')}, ${f.type})
            outs(${fill(y, start)} : ${y.type}) {
            ${region}
            } -> ${y.type}""",
    ),
    row(
        "multiply_bytes",
        "x: f32[n,k], f: bytes[o,k] -> i32[n,o]",
        multiply_bytes,
        "Exact(0)",
        mlir=BYTES
        + """
            ${y} = linalg.matmul ins(%byte, ${f.by('ko')} : ${x.type_of('i8')}, ${f.by('ko').type})
            outs(${fill(y, start)} : ${y.type}) ${cast} -> ${y.type}""",
    ),
    row(
        "contract_bits",
        "x: f32[n,k], f: filter[o,k] -> i32[n,o]",
        contract_bits,
        "Exact(0)",
        mlir="""
            %left = arith.cmpf oge, ${x}, ${fill(x)} : ${x.type}
            %right = arith.cmpf oge, ${f}, ${fill(f)} : ${f.type}
            ${y} = linalg.generic {${loops}} ins(%left, %right : ${x.type_of('i1')}, ${f.type_of('i1')})
            outs(${fill(y, start)} : ${y.type}) {
            ${region}
            } -> ${y.type}""",
    ),
    # Ops of linalg by other names.
    row(
        "linalg_contract",
        "x: f32[n,k], f: filter[o,k] -> f32[n,o]",
        features,
        "(x * f).sum(k)",
        mlir=[
            """
            ${y} = linalg.contract indexing_maps = [affine_map<(n, o, k) -> (n, k)>, affine_map<(n, o, k) -> (o, k)>,
            affine_map<(n, o, k) -> (n, o)>] ins(${x}, ${f} : ${x.type}, ${f.type}) outs(${fill(y)} : ${y.type}) -> ${y.type}""",
            """
            ${y} = linalg.contract indexing_maps = [affine_map<(n, o, k) -> (o, k)>, affine_map<(n, o, k) -> (n, k)>,
            affine_map<(n, o, k) -> (n, o)>] ins(${f}, ${x} : ${f.type}, ${x.type}) outs(${fill(y)} : ${y.type}) -> ${y.type}""",
        ],
    ),
    row(
        "batch_vecmat",
        "x: f32[n,k], f: filter[n,o,k] -> f32[n,o]",
        features_of_each,
        "(x * f).sum(k)",
        mlir=[
            """
            ${y} = linalg.batch_vecmat ins(${x}, ${f.by('nko')} : ${x.type}, ${f.by('nko').type})
            outs(${fill(y)} : ${y.type}) -> ${y.type}""",
            """
            ${y} = linalg.batch_matvec ins(${f}, ${x} : ${f.type}, ${x.type})
            outs(${fill(y)} : ${y.type}) -> ${y.type}""",
        ],
    ),
    row(
        "elementwise",
        "x: f32[*r], z: f32[*r] -> f32[*r]",
        None,
        "(x + z) | (x * z)",
        mlir=[
            "${y} = linalg."
            + op
            + " ins(${x}, ${z} : ${x.type}, ${z.type}) outs(${empty(y.value)} : ${y.type}) -> ${y.type}"
            for op in ("add", "sub", "mul", "max", "min")
        ]
        + [
            "${y} = linalg.elementwise kind=#linalg.elementwise_kind<"
            + op
            + "> ins(${x}, ${z} : ${x.type}, ${z.type}) outs(${empty(y.value)} : ${y.type}) -> ${y.type}"
            for op in ("add", "mul", "min_signed")
        ],
    ),
    row(
        "map",
        "x: f32[*r], z: f32[*r] -> f32[*r]",
        None,
        "x | z",
        mlir="""
            ${y} = linalg.map ins(${x}, ${z} : ${x.type}, ${z.type}) outs(${empty(y.value)} : ${y.type})
            (%in: f32, %also: f32, %out: f32) {
            %sign = arith.cmpf olt, %in, %also : f32
            %less = arith.select %sign, %also, %in : f32
            linalg.yield %less : f32
            }""",
    ),
    row(
        "conv_1d",
        "x: f32[n,w,c], f: filter[o,q,k] -> f32[n,j,o]",
        convolve_line,
        "(x * f).sum(q * k)",
        mlir="""
            ${y} = linalg.conv_1d_nwc_wcf {strides = dense<${t}> : tensor<1xi64>, dilations = dense<${l}> : tensor<1xi64>}
            ins(${x}, ${f.by('qko')} : ${x.type}, ${f.by('qko').type}) outs(${fill(y)} : ${y.type}) -> ${y.type}""",
    ),
    row(
        "max_pool_1d",
        "x: f32[n,w,c] -> f32[n,j,c]",
        place_line,
        "x",
        mlir="""
            ${y} = linalg.pooling_nwc_max {strides = dense<${t}> : tensor<1xi64>, dilations = dense<${l}> : tensor<1xi64>}
            ins(${x}, ${window(q)} : ${x.type}, tensor<${q}xf32>)
            outs(${fill(y, float('-inf'))} : ${y.type}) -> ${y.type}""",
    ),
    row(
        "conv_3d",
        "x: f32[n,z,h,w,c], f: filter[o,a,p,q,k] -> f32[n,b,i,j,o]",
        convolve_volume,
        "(x * f).sum(a * p * q * k)",
        mlir="""
            ${y} = linalg.conv_3d_ndhwc_dhwcf ins(${x}, ${f.by('apqko')} : ${x.type}, ${f.by('apqko').type})
            outs(${fill(y)} : ${y.type}) -> ${y.type}""",
    ),
    row(
        "max_pool_channels_first",
        "x: f32[n,c,h,w] -> f32[n,c,i,j]",
        pool,
        "x.sum(p * q)",
        mlir=[
            f"""
            ${{y}} = linalg.pooling_nchw_{op} {{{WINDOW}}} ins(${{x}}, ${{window(p, q)}} : ${{x.type}}, tensor<${{p}}x${{q}}xf32>)
            outs(${{fill(y, {start})}} : ${{y.type}}) -> ${{y.type}}"""
            for op, start in (("max", "float('-inf')"), ("sum", "0.0"))
        ],
    ),
    row(
        "min_pool",
        "x: f32[n,h,w,c] -> f32[n,i,j,c]",
        pool,
        "x",
        mlir=f"""
            ${{y}} = linalg.pooling_nhwc_min {{{WINDOW}}} ins(${{x}}, ${{window(p, q)}} : ${{x.type}}, tensor<${{p}}x${{q}}xf32>)
            outs(${{fill(y, float('inf'))}} : ${{y.type}}) -> ${{y.type}}""",
    ),
    row(
        "pack",
        "x: f32[n,*r,c] -> f32[n,*r,m,t]",
        pack,
        "x | Exact(1)",
        mlir="""
            ${y} = linalg.pack ${x} padding_value(${scalar(1.0)} : f32) inner_dims_pos = [${rank - 1}] inner_tiles = [${t}]
            into ${empty(y.value)} : ${x.type} -> ${y.type}""",
    ),
    row(
        "unpack",
        "x: f32[n,*r,m,t] -> f32[n,*r,c]",
        unpack,
        "x",
        mlir="""
            ${y} = linalg.unpack ${x} inner_dims_pos = [${rank - 2}] inner_tiles = [${t}]
            into ${empty(y.value)} : ${x.type} -> ${y.type}""",
    ),
    # What moves values.
    row("move", "x: f32[n,*r] -> f32[n,*u]", move, "x | Exact(1)", weight=2, mlir=OF_ONE),
    row("move_unevenly", "x: f32[n,*r] -> f32[n,*u]", move_unevenly, "x | Exact(1)", mlir=OF_ONE),
    row(
        "update",
        "x: f32[*r], z: f32[*r] -> f32[*r]",
        update,
        "x + z",
        mlir="""
            ${y} = linalg.generic {${loops}} ins(${x} : ${x.type}) outs(${z} : ${z.type}) {
            ${region}
            } -> ${y.type}""",
    ),
    row(
        "take_each_other",
        "x: f32[n,*r] -> f32[n,*u]",
        take_each_other,
        "x",
        mlir="${y} = tensor.extract_slice ${x}[${firsts}] [${batch(x)}${counts}] [${steps}] : ${x.type} to ${y.type}",
    ),
    row(
        "replace_each_other",
        "x: f32[n,*r] -> f32[n,*r]",
        take_each_other,
        "x | Exact(1)",
        mlir="""
            %part = tensor.extract_slice ${x}[${firsts}] [${batch(x)}${counts}] [${steps}] : ${x.type} to ${tensor((n, *u), 'f32', x.value.batched)}
            ${y} = tensor.insert_slice %part into ${fill(y, 1.0)}[${firsts}] [${batch(x)}${counts}] [${steps}] : ${tensor((n, *u), 'f32', x.value.batched)} into ${y.type}""",
    ),
    row(
        "choose",
        "x: f32[*r], z: f32[*r] -> f32[*r]",
        choose,
        "x | z",
        mlir=[
            """
            %first = tensor.extract ${x}[${', '.join(scalar(i, 'index') for i in index)}] : ${x.type}
            %which = arith.cmpf ${predicate}, %first, ${scalar(0.0)} : f32
            ${y} = scf.if %which -> ${y.type} {
            scf.yield ${x} : ${y.type}
            } else {
            scf.yield ${z} : ${y.type}
            }""",
            """
            %first = tensor.extract ${x}[${', '.join(scalar(i, 'index') for i in index)}] : ${x.type}
            %which = arith.cmpf ${predicate}, %first, ${scalar(0.0)} : f32
            ${y} = arith.select %which, ${x}, ${z} : ${y.type}""",
        ],
    ),
    row(
        "repeat",
        "x: f32[*r], z: f32[*r] -> f32[*r]",
        repeat,
        "x + z.sum(count)",
        mlir="""
            %low = arith.constant 0 : index
            %high = arith.constant ${count} : index
            %step = arith.constant 1 : index
            ${y} = scf.for %k = %low to %high step %step iter_args(%so_far = ${x}) -> (${y.type}) {
            %next = arith.subf ${z}, %so_far : ${y.type}
            scf.yield %next : ${y.type}
            }""",
    ),
    # Each element by itself.
    row("place_of_each", "x: f32[*r] -> f32[*r]", place_of_each, "x", mlir=OF_ONE),
    row("compare_doubles", "x: f32[*r] -> f32[*r]", compare_doubles, "Exact(1)", mlir=OF_ONE),
    row(
        "add_doubles",
        "x: f32[*r] -> f32[*r]",
        add_doubles,
        "(x + Exact(3, 1)) | (x * Exact(3, 1))",
        mlir=OF_ONE,
    ),
    row("halve", "x: f32[*r] -> f32[*r]", halve, "x", mlir=OF_ONE),
    row("sign_bit", "x: f32[*r] -> f32[*r]", sign_bit, "Exact(1)", mlir=OF_ONE),
    row("to_integers", "x: f32[*r] -> i32[*r]", to_integers, "Exact(0)", weight=2, mlir=OF_ONE),
    row("map_integers", "x: i32[*r] -> i32[*r]", map_integers, "Exact(0)", mlir=OF_ONE),
    row("compare_integers", "x: i32[*r] -> f32[*r]", compare_integers, "Exact(1)", mlir=OF_ONE),
    # Layers that were formed before.
    row(
        "layer",
        "x: f32[*r], z: f32[*r] -> f32[*r]",
        know_batch,
        "x + z",
        mlir=[
            LAYER.format("%r = arith.addf %of, %to : ${y.type}", "%r"),
            LAYER.format(
                "%r = linalg.sub ins(%to, %of : ${y.type}, ${y.type}) outs(%to : ${y.type}) -> ${y.type}",
                "%r",
            ),
            LAYER.format("", "%of"),
            LAYER.format("", "%to"),
        ],
    ),
    row(
        "layer_of_two",
        "x: f32[*r], z: f32[*r] -> f32[*r]",
        know_batch,
        "x.sum(2) + z.sum(2)",
        mlir=[
            LAYER_OF_TWO.format("", "%to, %also"),
            LAYER_OF_TWO.format("", "%also, %to"),
            LAYER_OF_TWO.format("%r = arith.addf %also, %to : ${y.type}", "%to, %r"),
            LAYER_OF_TWO.format("%r = arith.addf %also, %to : ${y.type}", "%r, %to"),
            LAYER_OF_TWO.format(
                "%r = arith.maximumf %to, %also : ${y.type}\n%u = arith.negf %to : ${y.type}",
                "%u, %r",
            ),
        ],
    ),
]
