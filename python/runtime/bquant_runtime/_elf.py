"""What a shared library exports, read from its bytes: nothing of it runs.

The checks are those of lib/Compiler/Exports.cpp, in the same order: what passes can be given to the
loader, which goes by segments and believes what they say.
"""

from __future__ import annotations

import struct
from typing import NamedTuple

from ._foreign import quote

SIGNATURE_SUFFIX = b"_signature"
REPORT_SECTION = b".bquant.report"

# Types of sections, their flags, types of segments and of symbols.
_NULL, _DYNAMIC, _NOBITS, _DYNSYM = 0, 6, 8, 11
_ALLOC, _EXECUTABLE, _TLS = 0x2, 0x4, 0x400
_PT_NULL, _PT_LOAD, _PT_DYNAMIC, _PT_STACK = 0, 1, 2, 0x6474E551
_OBJECT, _FUNCTION, _RESOLVER = 1, 2, 10
# The numbers of sections from here on stand for something else.
_RESERVED = 0xFF00


class Exports(NamedTuple):
    """What a library exports, and the bytes of its report, if it has one."""

    architecture: str
    functions: set[bytes]
    signatures: dict[bytes, bytes]
    report: bytes | None


class _Section(NamedTuple):
    name: int
    type: int
    flags: int
    address: int
    offset: int
    size: int
    link: int
    info: int
    alignment: int
    entry_size: int


class _Segment(NamedTuple):
    type: int
    flags: int
    offset: int
    address: int
    physical_address: int
    file_size: int
    size: int
    alignment: int


def read_exports(file: bytes) -> Exports:
    """The exports of a library; a ValueError says why there are none."""
    return _Reader(file).read()


def _covers(first: int, limit: int, begin: int, size: int) -> bool:
    """Whether `size` bytes at `begin` are among `limit` bytes at `first`."""
    return first <= begin and begin + size <= first + limit


def _architecture(machine: int) -> str:
    return {62: "x86_64", 183: "aarch64"}.get(machine) or f"ELF's machine {machine}"


class _Reader:
    def __init__(self, file: bytes):
        self.file = file
        self.functions: set[bytes] = set()
        self.signatures: dict[bytes, bytes] = {}
        self.resolved: bytes | None = None

    def read(self) -> Exports:
        self.read_header()
        report = self.read_sections()
        self.check_segments()
        for section in self.sections:
            if section.type == _DYNSYM:
                self.read_symbols(section)
        if not self.signatures:
            raise ValueError("no compiled function in it")
        if self.resolved is not None:
            raise ValueError(
                f"symbol '{quote(self.resolved)}' has a resolver, which the loader runs"
            )
        return Exports(_architecture(self.machine), self.functions, self.signatures, report)

    def is_inside(self, offset: int, size: int) -> bool:
        return _covers(0, len(self.file), offset, size)

    def table(self, row, form: str, what: str, offset: int, entry_size: int, count: int) -> list:
        size = struct.calcsize(form)
        if entry_size != size or count == 0 or not self.is_inside(offset, size * count):
            raise ValueError(f"its table of {what} lies outside of the file")
        return list(
            map(row._make, struct.iter_unpack(form, self.file[offset : offset + size * count]))
        )

    def contents(self, section: _Section) -> bytes:
        if section.type in (_NULL, _NOBITS):
            return b""
        return self.file[section.offset : section.offset + section.size]

    def text(self, table: bytes, offset: int, what: str, index: int) -> bytes:
        end = table.find(b"\0", offset)
        if end < 0:
            raise ValueError(f"the name of {what} {index} lies outside of the file")
        return table[offset:end]

    def names(self, section: int) -> bytes:
        return self.contents(self.sections[section]) if section < len(self.sections) else b""

    def read_header(self) -> None:
        if self.file[:4] != b"\x7fELF":
            raise ValueError("no ELF file")
        if len(self.file) < 64:
            raise ValueError("its header lies outside of the file")
        if self.file[4:6] != b"\2\1":
            raise ValueError("no ELF file of 64 bits, little-endian")
        header = struct.unpack_from("<HHIQQQIHHHHHH", self.file, 16)
        kind, self.machine, _, _, segments, sections, _, _ = header[:8]
        segment_size, segment_count, section_size, section_count, self.section_names = header[8:]
        if kind != 3:
            raise ValueError("no shared library")
        self.sections = self.table(
            _Section, "<IIQQQQIIQQ", "sections", sections, section_size, section_count
        )
        self.segments = self.table(
            _Segment, "<IIQQQQQQ", "segments", segments, segment_size, segment_count
        )

    def read_sections(self) -> bytes | None:
        for i, section in enumerate(self.sections):
            in_file = section.type not in (_NULL, _NOBITS)
            if in_file and not self.is_inside(section.offset, section.size):
                raise ValueError(f"section {i} lies outside of the file")
        names, report = self.names(self.section_names), None
        for i, section in enumerate(self.sections):
            if self.text(names, section.name, "section", i) == REPORT_SECTION:
                report = self.contents(section)
        return report

    def check_segments(self) -> None:
        """That the loader sees what the sections say."""
        end = 0
        for i, segment in enumerate(self.segments):
            if segment.type != _PT_LOAD:
                continue
            if not self.is_inside(segment.offset, segment.file_size):
                raise ValueError(f"segment {i} lies outside of the file")
            if (
                segment.address < end
                or segment.size < segment.file_size
                or segment.address + segment.size >= 2**64
            ):
                raise ValueError(f"segment {i} does not lie after those before it in memory")
            end = segment.address + segment.size
        loaded = [s for s in self.segments if s.type == _PT_LOAD]
        dynamic = None
        for i, segment in enumerate(self.segments):
            if segment.type in (_PT_LOAD, _PT_NULL, _PT_STACK):
                continue
            if not any(
                _covers(s.address, s.size, segment.address, segment.file_size) for s in loaded
            ):
                raise ValueError(f"segment {i} is not loaded")
            if segment.type == _PT_DYNAMIC:
                dynamic = segment
        for i, section in enumerate(self.sections):
            # Those of threads' variables without values have no place.
            empty = section.type == _NOBITS
            if not section.flags & _ALLOC or section.size == 0 or (empty and section.flags & _TLS):
                continue
            agrees = any(
                _covers(s.address, s.size if empty else s.file_size, section.address, section.size)
                and (empty or section.offset - s.offset == section.address - s.address)
                for s in loaded
            )
            if section.type == _DYNAMIC:
                agrees = agrees and dynamic is not None
                agrees = agrees and dynamic.address == section.address
                agrees = agrees and dynamic.file_size == section.size
            if not agrees:
                raise ValueError(f"section {i} is not where the segments say that it is")
        if dynamic is None or not any(s.type == _DYNAMIC for s in self.sections):
            raise ValueError("it has no section for the loader")

    def find_section(self, index: int, value: int, size: int, flags: int) -> _Section | None:
        """The section of such flags that has the bytes of a symbol, by its address: the number
        that it has in the file stays as it was where a section before it is removed."""
        if index >= _RESERVED:  # no section: an address that is moved with no library
            return None
        found = (
            section
            for section in self.sections
            if section.type != _NOBITS
            and section.flags & flags == flags
            and _covers(section.address, section.size, value, size)
        )
        return next(found, None)

    def read_symbols(self, table: _Section) -> None:
        contents = self.contents(table)
        if table.entry_size != 24 or len(contents) % 24:
            raise ValueError(
                f"expected symbols of 24 bytes, but got {len(contents)} by {table.entry_size}"
            )
        names = self.names(table.link)
        for i, symbol in enumerate(struct.iter_unpack("<IBBHQQ", contents)):
            if i == 0:  # stands for none
                continue
            offset, info, _, index, value, size = symbol
            name, kind = self.text(names, offset, "symbol", i), info & 15
            if index == 0:
                continue
            if kind == _RESOLVER:
                self.resolved = name
            if kind == _FUNCTION:
                if self.find_section(index, value, size, _ALLOC | _EXECUTABLE):
                    self.functions.add(name)
            elif kind == _OBJECT and name.endswith(SIGNATURE_SUFFIX):
                self.signatures[name] = b""
                if section := self.find_section(index, value, size, _ALLOC):
                    at = value - section.address
                    self.signatures[name] = self.contents(section)[at : at + size]
