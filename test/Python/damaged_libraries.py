"""Libraries that are not what they claim to be: one change each to a small library, and what both
loaders say of it. The places of the changes are found without the code under test."""

import json
import struct

import bquant

SYMBOLS = ["", "_arena_bytes", "_supported", "_set_parallel"]
# Arrays enough for a long signature, in whose place others fit.
NETWORK = """
func.func @forward({}) -> tensor<2x3xf32> {{
  %y = math.absf %x0 : tensor<2x3xf32>
  return %y : tensor<2x3xf32>
}}
""".format(", ".join(f"%x{i}: tensor<2x3xf32>" for i in range(24)))

HEADER = {
    "class": (4, "B"), "order": (5, "B"), "system": (7, "B"), "type": (16, "H"),
    "machine": (18, "H"), "segments": (32, "Q"), "sections": (40, "Q"), "segment_size": (54, "H"),
    "segment_count": (56, "H"), "section_size": (58, "H"), "section_count": (60, "H"),
    "names": (62, "H"),
}  # fmt: skip
SECTION = {
    "name": (0, "I"), "type": (4, "I"), "flags": (8, "Q"), "address": (16, "Q"),
    "offset": (24, "Q"), "size": (32, "Q"), "link": (40, "I"), "entry_size": (56, "Q"),
}  # fmt: skip
SEGMENT = {
    "type": (0, "I"), "offset": (8, "Q"), "address": (16, "Q"), "file_size": (32, "Q"),
    "size": (40, "Q"),
}  # fmt: skip
SYMBOL = {
    "name": (0, "I"), "info": (4, "B"), "section": (6, "H"), "value": (8, "Q"), "size": (16, "Q")
}  # fmt: skip
LOAD, DYNAMIC, NOTE = 1, 2, 4
FUNCTION, RESOLVER = 2, 10


class Row:
    """A struct of the file: its fields are read and written there."""

    def __init__(self, content, start, fields):
        self.__dict__.update(content=content, start=start, fields=fields)

    def __getattr__(self, name):
        at, form = self.fields[name]
        return struct.unpack_from("<" + form, self.content, self.start + at)[0]

    def __setattr__(self, name, value):
        at, form = self.fields[name]
        bits = 8 * struct.calcsize(form)
        struct.pack_into("<" + form, self.content, self.start + at, value % 2**bits)


class Library:
    """The bytes of a library, to be changed, and the places of its tables."""

    def __init__(self, content):
        self.content = content = bytearray(content)
        self.header = header = Row(content, 0, HEADER)
        self.all_sections = [
            Row(content, header.sections + 64 * i, SECTION) for i in range(header.section_count)
        ]
        self.segments = [
            Row(content, header.segments + 56 * i, SEGMENT) for i in range(header.segment_count)
        ]
        names = self.all_sections[header.names]
        self.sections = {self.text(names, row.name): row for row in self.all_sections}
        table, self.strings = self.sections[".dynsym"], self.sections[".dynstr"]
        rows = [Row(content, table.offset + 24 * i, SYMBOL) for i in range(1, table.size // 24)]
        self.symbols = {self.text(self.strings, row.name): row for row in rows}

    def text(self, table, offset):
        start = table.offset + offset
        return self.content[start : self.content.index(0, start)].decode()

    def of_type(self, kind):
        return [row for row in self.segments if row.type == kind]

    def rename(self, symbol, name):
        """A symbol, by a name of the same length."""
        assert len(symbol) == len(name)
        start = self.strings.offset + self.symbols[symbol].name
        self.content[start : start + len(name)] = name.encode()

    @property
    def signature(self):
        """The bytes of the signature, without the zero at their end: where, and how many."""
        symbol = self.symbols["forward_signature"]
        section = self.all_sections[symbol.section]
        return section.offset + symbol.value - section.address, symbol.size - 1

    @property
    def report(self):
        section = self.sections[".bquant.report"]
        return section.offset, section.size - 1

    def write(self, place, text):
        """A text with blanks up to the end, which JSON allows."""
        start, size = place
        text = text if isinstance(text, bytes) else text.encode()
        assert len(text) <= size, (len(text), size)
        self.content[start : start + size] = text.ljust(size)


def make(directory):
    """The library without a change."""
    network = bquant.compile(NETWORK, threads=2)
    network.save(directory / "whole.so")
    return (directory / "whole.so").read_bytes()


def put(find, values):
    """A change of fields of the row that `find` gives."""

    def apply(library):
        row = find(library)
        for key, value in values.items():
            setattr(row, key, value)

    return apply


def header(**values):
    return put(lambda library: library.header, values)


def section(of, /, **values):
    return put(lambda library: library.sections[of], values)


def symbol(of, /, **values):
    return put(lambda library: library.symbols[of], values)


def segment(kind, index=0, /, **values):
    """Of that number among those of a type."""
    return put(lambda library: library.of_type(kind)[index], values)


def cut(size):
    def apply(library):
        del library.content[size:]

    return apply


def move(name, of):
    """A symbol into a section in which nothing of it is."""

    def apply(library):
        library.symbols[name].section = library.all_sections.index(library.sections[of])
        library.symbols[name].value = library.sections[of].address

    return apply


def replace(old, new):
    def apply(library):
        assert len(old) == len(new) and library.content.count(old) == 1
        start = library.content.index(old)
        library.content[start : start + len(old)] = new

    return apply


HUGE = 2**64 - 1
NONE = "expected a text that ends in a zero at 'forward_signature', but got none"
PLACES = "is not where the segments say that it is"

# Of the file.
FILES = {
    "nothing": (cut(0), "no ELF file"),
    "text": (replace(b"\x7fELF", b"text"), "no ELF file"),
    "a beginning": (cut(40), "its header lies outside of the file"),
    "32 bits": (header(**{"class": 1}), "no ELF file of 64 bits, little-endian"),
    "big-endian": (header(order=2), "no ELF file of 64 bits, little-endian"),
    "an object": (header(type=1), "no shared library"),
    "an executable": (header(type=2), "no shared library"),
    "half": (cut(4000), "its table of sections lies outside of the file"),
    "sections far away": (header(sections=HUGE), "its table of sections lies outside of the file"),
    "small sections": (header(section_size=40), "its table of sections lies outside of the file"),
    "no sections": (header(section_count=0), "its table of sections lies outside of the file"),
    "segments far away": (header(segments=2**40), "its table of segments lies outside of the file"),
    "large segments": (header(segment_size=57), "its table of segments lies outside of the file"),
    "no segments": (header(segment_count=0), "its table of segments lies outside of the file"),
    "few segments": (header(segment_count=3), PLACES),
    "no names of sections": (header(names=999), "the name of section 0 lies outside of the file"),
    "names elsewhere": (header(names=0), "the name of section 0 lies outside of the file"),
    "a section far away": (section(".text", offset=HUGE), " lies outside of the file"),
    "a large section": (section(".text", size=HUGE - 4095), " lies outside of the file"),
    "a section without a name": (section(".text", name=2**31), "the name of section "),
    "a section elsewhere": (section(".text", address=0), PLACES),
    "a section at another offset": (section(".text", offset=64), PLACES),
    "a segment far away": (segment(LOAD, 1, offset=2**40), " lies outside of the file"),
    "a segment larger in the file": (
        segment(LOAD, 1, size=1),
        "lie after those before it in memory",
    ),
    "a segment over another": (segment(LOAD, 1, address=0), "lie after those before it in memory"),
    "a segment at the end of memory": (
        segment(LOAD, 2, size=HUGE),
        "lie after those before it in memory",
    ),
    "a note that is not loaded": (segment(NOTE, address=2**32), " is not loaded"),
    "another dynamic segment": (segment(DYNAMIC, address=0), PLACES),
    "no dynamic segment": (segment(DYNAMIC, type=0x12345), PLACES),
    "no dynamic section": (section(".dynamic", type=1), "it has no section for the loader"),
    "small symbols": (section(".dynsym", entry_size=16), "expected symbols of 24 bytes, but got "),
    "a part of a symbol": (section(".dynsym", size=100), "of 24 bytes, but got 100 by 24"),
    "no symbols": (section(".dynsym", size=24), "no compiled function in it"),
    "no table of symbols": (section(".dynsym", type=2), "no compiled function in it"),
    "no names of symbols": (section(".dynsym", link=77), "the name of symbol 1 lies outside of "),
    "a symbol without a name": (symbol("forward", name=HUGE), "the name of symbol "),
    "a resolver": (symbol("forward", info=16 + RESOLVER), "'forward' has a resolver, which the"),
    "no signature": (
        lambda library: library.rename("forward_signature", "forward_signatura"),
        "no compiled function in it",
    ),
    "another signature": (
        lambda library: library.rename("forward_signature", "toward__signature"),
        "expected the symbol of 'toward__signature', but got 'forward'",
    ),
    "bytes that are no name": (
        lambda library: library.rename("forward_supported", "forward\x01supported"),
        "expected a function 'forward_supported', but got none",
    ),
    **{
        f"no function{suffix}": (
            lambda library, name="forward" + suffix: library.rename(name, "x" * len(name)),
            f"expected a function 'forward{suffix}', but got none",
        )
        for suffix in SYMBOLS[1:]
    },
    "data as a function": (symbol("forward", info=17), "expected a function 'forward', but got no"),
    "a function in data": (
        move("forward_supported", ".rodata"),
        "expected a function 'forward_supported', but got none",
    ),
    "a function outside": (symbol("forward", value=2**40), "expected a function 'forward', but go"),
    "a long function": (symbol("forward", size=HUGE), "expected a function 'forward', but got no"),
    "a function in no section": (
        symbol("forward", section=0xFFF1),
        "expected a function 'forward', but got none",
    ),
    "a local function": (
        symbol("forward", info=FUNCTION),
        "expected a symbol 'forward', but got n",
    ),
    "a signature in memory": (move("forward_signature", ".bss"), NONE),
    "a signature outside": (symbol("forward_signature", value=2**40), NONE),
    "a long signature": (symbol("forward_signature", size=HUGE), NONE),
    "a short signature": (symbol("forward_signature", size=10), NONE),
    "an empty signature": (symbol("forward_signature", size=0), NONE),
    "a signature in no section": (symbol("forward_signature", section=0xFF00), NONE),
    "a zero in the signature": (
        lambda library: library.write(library.signature, b"{}\0"),
        NONE,
    ),
    "for AArch64": (
        header(machine=183),
        "expected a library for x86_64, which this machine is, but got one for aarch64",
    ),
    "for a machine without a name": (
        header(machine=8),
        "expected a library for x86_64, which this machine is, but got one for ELF's machine 8",
    ),
    "for another system": (header(system=9), "ELF file OS ABI invalid"),
}


def array(**values):
    return {"dtype": "float32", "name": "x", "shape": [2, 3]} | values


def text(inputs=(), outputs=(), **values):
    function = {"name": "forward", "symbol": "forward", "inputs": inputs, "outputs": outputs}
    return json.dumps(function | values)


def shape(sizes):
    """Of one input, as it is written."""
    return text(inputs=[array(shape="?")]).replace('"?"', sizes)


SIGNATURE = "expected the signature of a compiled function, but got '"
SIZES = "expected sizes of at least 1 for 'x', but got "
STATE = "expected a number, or one for each element, as the initial value of 'x', but got another"
UPDATES = "expected 'y' to update an input of its type and shape, but got input "
NO_JSON = "expected JSON, but got '"
ARRAY = "expected name, dtype and shape of an array, but got '"

# Of what it says of its function.
VERSIONS = "expected a list of the CPUs that 'forward' has versions for, but got "
SIGNATURES = {
    "no JSON": ("not JSON at all", NO_JSON + "not JSON at all  "),
    "nothing": ("", NO_JSON + "  "),
    "cut": (text()[:-1], NO_JSON),
    "more than JSON": (text() + "{}", NO_JSON),
    "two of a key": ('{"name": "f", "name": 3}', SIGNATURE),
    "no UTF-8": (b'{"name": "\xff"}', NO_JSON + '{"name": "\\xff"}'),
    "control characters": ('{"name": "\x01"}', NO_JSON + '{"name": "\\x01"}'),
    "single quotes": ("{'name': 'f'}", NO_JSON),
    "a comma": ('{"name": "f",}', NO_JSON),
    "NaN": ('{"name": NaN}', NO_JSON),
    "infinity": ('{"name": -Infinity}', NO_JSON),
    "a number beyond doubles": ('{"name": 1e400}', NO_JSON),
    "a zero before a number": ("[01]", NO_JSON),
    "a plus": ("[+1]", NO_JSON),
    "a dot": ("[.5]", NO_JSON),
    "a dot after": ("[5.]", NO_JSON),
    "a hexadecimal number": ("[0x5]", NO_JSON),
    "many levels": ("[" * 33 + "]" * 33, "expected JSON of at most 32 levels, but got 33"),
    "brackets alone": ("[" * 900, "expected JSON of at most 32 levels, but got 900"),
    "brackets after a string": ('"[\\"[[" ' + "[" * 40, "at most 32 levels, but got 40"),
    "a list": ("[]", SIGNATURE + "[]  "),
    "a number": ("3", SIGNATURE + "3  "),
    "an empty object": ("{}", SIGNATURE),
    "no symbol": ('{"name": "f"}', SIGNATURE),
    "a number as a name": (text(name=3), SIGNATURE),
    "a zero in a name": (text(name="f\0"), SIGNATURE),
    "another symbol": (text(symbol="g"), "expected the symbol of 'forward_signature', but got 'g'"),
    "a long symbol": (text(symbol="g" * 100), "but got '" + "g" * 57 + "...'"),
    "a symbol of no letters": (text(symbol="\né"), "but got '\\x0a\\xc3\\xa9'"),
    "half a character": (text(symbol="\ud800a"), "but got '\\xef\\xbf\\xbda'"),
    "half a character at the end": (text(symbol="a\udc00"), "but got 'a\\xef\\xbf\\xbd'"),
    "no inputs": ('{"name": "f", "symbol": "f"}', "a list of 'inputs' in a signature, but got n"),
    "a number of inputs": (text(inputs=3), "a list of 'inputs' in a signature, but got none"),
    "no outputs": (text(outputs=None), "expected a list of 'outputs' in a signature, but got none"),
    "an input of null": (text(inputs=[None]), ARRAY + "null'"),
    "an input without a shape": (text(inputs=[{"name": "x"}]), ARRAY + '{"name":"x"}\''),
    "an input of numbers": (text(inputs=[[0.1, 1e20, -3]]), "but got '[0.10000000000000001,1e+20,"),
    "a long input": (text(inputs=[{"name": "x" * 99}]), ARRAY + '{"name":"' + "x" * 48 + "...'"),
    "an unknown type": (text(inputs=[array(dtype="float99")]), "for 'x', but got 'float99'"),
    "a complex type": (text(inputs=[array(dtype="complex64")]), "for 'x', but got 'complex64'"),
    "a type of Python": (text(inputs=[array(dtype="O")]), "for 'x', but got 'O'"),
    "a type with its order": (text(inputs=[array(dtype=">f4")]), "for 'x', but got '>f4'"),
    "a type without NumPy": (
        text(inputs=[array(dtype="bfloat16")]),
        "expected an element type that NumPy has for 'x', but got bfloat16",
    ),
    "a negative size": (shape("[2, -4]"), SIZES + "-4"),
    "a size of zero": (shape("[0]"), SIZES + "0"),
    "half a size": (shape("[1.5]"), SIZES + "1.5"),
    "a size that is true": (shape("[true]"), SIZES + "true"),
    "a size in words": (shape('["3"]'), SIZES + '"3"'),
    "a size with an exponent": (shape("[1e17]"), SIZES + "1e+17"),
    "a size beyond 64 bits": (shape("[99999999999999999999]"), SIZES + "1e+20"),
    "a size beyond signed ones": (shape("[9223372036854775808]"), SIZES + "9223372036854775808"),
    "a size beyond negative ones": (shape("[-9223372036854775809]"), SIZES + "-9.2233720368547758"),
    "a size that is minus zero": (shape("[-0.0]"), SIZES + "-0"),
    "a batch inside": (shape("[2, null]"), SIZES + "null"),
    "a list of sizes": (shape("[[2]]"), SIZES + "[2]"),
    "many sizes": (shape(json.dumps([1] * 33)), "at most 32 sizes for 'x', but got 33"),
    "all bytes": (
        shape("[9223372036854775807]"),
        "expected fewer than 2^63 bytes for 'x', but got 9223372036854775807 of float32",
    ),
    "bytes beyond 64 bits": (
        shape("[4294967296, 4294967296]"),
        "expected fewer than 2^63 bytes for 'x', but got 4294967296x4294967296 of float32",
    ),
    "bytes of a batch": (
        shape("[null, 4611686018427387904]"),
        "expected fewer than 2^63 bytes for 'x', but got 1x4611686018427387904 of float32",
    ),
    "no threads": (text(max_threads=0), "expected at least 1 thread for 'forward', but got 0"),
    "many threads": (text(max_threads=2**31), "1 thread for 'forward', but got 2147483648"),
    "threads in words": (text(max_threads="two"), "1 thread for 'forward', but got \"two\""),
    "no versions": (text(versions=[]), VERSIONS + "[]"),
    "versions of null": (text(versions=None), VERSIONS + "null"),
    "a number as a version": (text(versions=["a", 3]), VERSIONS + '["a",3]'),
    "a version without a name": (text(versions=["a"]), "function 'forward_version', but got none"),
    "a first value in words": (text(inputs=[array(initial="0")]), STATE),
    "a first value of nothing": (text(inputs=[array(initial=None)]), STATE),
    "a first value that is true": (text(inputs=[array(initial=True)]), STATE),
    "few first values": (text(inputs=[array(initial=[0] * 5)]), STATE),
    "many first values": (text(inputs=[array(initial=[0] * 7)]), STATE),
    "first values in words": (text(inputs=[array(initial=["0"] * 6)]), STATE),
    "first values of a batch": (text(inputs=[array(shape=[None, 3], initial=0)]), STATE),
    "an update of nothing": (text(outputs=[array(name="y", updates=0)]), UPDATES + "0"),
    "an update in words": (text([array()], [array(name="y", updates="x")]), UPDATES + '"x"'),
    "an update beyond": (text([array()], [array(name="y", updates=1)]), UPDATES + "1"),
    "an update before": (text([array()], [array(name="y", updates=-1)]), UPDATES + "-1"),
    "an update of another type": (
        text([array()], [array(name="y", dtype="int32", updates=0)]),
        UPDATES + "0",
    ),
    "an update of another shape": (
        text([array()], [array(name="y", shape=[3, 2], updates=0)]),
        UPDATES + "0",
    ),
}  # fmt: skip

# Of what is strange, but says something.
STRANGE_SIGNATURES = {
    "blanks": text(),
    "no threads": text([array()], [array(name="y")]),
    "one thread": text(max_threads=1),
    "unknown keys": text(later={"a": [1, 2.5e3, None, True]}),
    "sizes as doubles": shape("[2.0, 30]"),
    "no sizes": shape("[]"),
    "all sizes": shape(json.dumps([1] * 32)),
    "a batch": shape("[null, 3]"),
    "letters": text(name="größe", inputs=[array(name='\u20ac"\\\t\n')]),
    "half a character": text(name="\ud83d", inputs=[array(name="\ud83d\ude00")]),
    "two of a key": text(name="f")[:-1] + ', "name": "g"}',
    "levels": text(later=json.loads("[" * 31 + "]" * 31)),
    "brackets in strings": text(name="[" * 40 + '"' + "{" * 40),
    "state": text([array(initial=0.5), array(initial=[1] * 6)], [array(updates=1)]),
    **{
        f"{type}": text([array(dtype=type)], [array(name="y", dtype=type)])
        for type in (  # noqa: A001
            "bool", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64",
            "float16", "float64",
        )
    },
}  # fmt: skip


def layer(**values):
    return {"arithmetic": "binary"} | values


def report(layers=(), remarks=(), **values):
    return json.dumps({"version": "1", "layers": layers, "remarks": remarks} | values)


AT_LEAST = "expected a number of at least 0 at report.layers[0]."

REPORTS = {
    "no JSON": ("oops", NO_JSON + "oops"),
    "many levels": ("[" * 40, "expected JSON of at most 32 levels, but got 40"),
    "a list": ("[]", "expected object when parsing report"),
    "an empty object": ("{}", "missing value at report.version"),
    "a number as the version": (report(version=3), "expected string at report.version"),
    "no layers": ('{"version": "1"}', "missing value at report.layers"),
    "a layer that is none": (report([layer(), 7]), "expected object at report.layers[1]"),
    "layers that are none": (report({}), "expected array at report.layers"),
    "a layer without arithmetic": (report([{}]), "missing value at report.layers[0].arithmetic"),
    "another arithmetic": (
        report([layer(arithmetic="analogue")]),
        "expected an arithmetic of layers at report.layers[0].arithmetic",
    ),
    "negative products": (report([layer(macs=-1)]), AT_LEAST + "macs"),
    "many products": (report([layer(macs=1e30)]), "expected integer at report.layers[0].macs"),
    "cycles in words": (
        report([layer(estimated_cycles="1")]),
        "expected integer at report.layers[0].estimated_cycles",
    ),
    "no cycles": (
        report([layer(limit_cycles=None)]),
        "expected integer at report.layers[0].limit_cycles",
    ),
    "a negative tile": (report([layer(tile={"rows": -7})]), AT_LEAST + "tile.rows"),
    "a tile that is none": (report([layer(tile=7)]), "expected object at report.layers[0].tile"),
    "a name that is none": (report([layer(op=[])]), "expected string at report.layers[0].op"),
    "no remarks": (
        '{"version": "1", "layers": []}',
        "missing value at report.remarks",
    ),
    "a remark of another kind": (
        report((), [{"kind": '"><script>'}]),
        "expected passed, missed, failure or analysis at report.remarks[0].kind",
    ),
    "a remark of no kind": (report((), [{}]), "missing value at report.remarks[0].kind"),
    "a target that is none": (report(target=None), "expected object at report.target"),
    "a number as a CPU": (report(target={"cpu": 1}), "expected string at report.target.cpu"),
    "negative constants": (
        report(constant_bytes=-1),
        "expected a number of at least 0 at report.constant_bytes",
    ),
    "a list of numbers": ("[3]", "expected object at report[0]"),
    "one of a list that is none": (
        f"[{report()}, {report([7])}]",
        "expected object at report[1].layers[0]",
    ),
    "a list of nothing": ("[{}]", "missing value at report[0].version"),
    "a zero in it": (
        b"{}\0",
        "expected a text that ends in a zero at '.bquant.report', but got none",
    ),
}

STRANGE_REPORTS = {
    "of another version": report([layer(later=3)], later=[1], target={"cpu": "z80", "later": 1}),
    "sums beyond 64 bits": report([layer(macs=2**63 - 1, weight_bytes=2**63 - 1)] * 3),
    "divisions by zero": report([layer(estimated_cycles=0, limit_cycles=5, macs=3)]),
    "shares": report(
        [
            layer(macs=1000, estimated_cycles=3000, limit_cycles=1000, kernel="k<a, 'b'>"),
            layer(arithmetic="float by binary", macs=2e3, tile={"rows": 7}, layout="words"),
            layer(arithmetic="float, thresholds", location="l", op="o", function="f"),
            layer(arithmetic="reference", weight_bytes=12345678, tile=None),
        ],
        constant_bytes=10**9,
    ),
    "strange letters": report(
        [layer(location="größe\x01\x1f\t\n\\\"/\u20ac\U0001f600", operands="\ud800", op="<&'\">")],
        [{"kind": "missed", "text": "a < b & \"c\" 'd'", "location": "\x7f"}],
    ),
    "of several versions": f"[{report([layer()])}, {report(target={'cpu': 'z80'})}]",
    "a list of one": f"[{report()}]",
    "lies": report([layer(mac_share=3, float=True)], totals={"macs": -3}),
}  # fmt: skip
