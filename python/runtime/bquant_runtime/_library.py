"""A compiled library in this process, as lib/Compiler/Library.cpp loads it.

What is loaded is a private copy of the file, in memory, which nobody can change any more; what its
symbols and signatures say is checked before anything of it runs.
"""

from __future__ import annotations

import _ctypes
import ctypes
import fcntl
import os
import stat
import weakref

from ._elf import read_exports
from ._foreign import quote
from ._report import Reports
from ._signature import entry_suffixes, get_text, read_signatures

_FORCED = "BQUANT_TARGET_CPU"
_REPORT_PLACE = b".bquant.report"
_ADD_SEALS, _ALL_SEALS = 1033, 0xF  # fcntl has names for them from Python 3.12 on


class Library:
    """The functions of a library: their signatures, and their symbols by `lookup`."""

    def __init__(self, path: str):
        self.path = path
        try:
            self._descriptor, content = _copy(path)
        except OSError as error:
            raise ValueError(f"cannot open '{path}': {os.strerror(error.errno)}") from None
        try:
            self._load(content)
        except BaseException:
            os.close(self._descriptor)
            raise
        weakref.finalize(self, _unload, self._handle, self._descriptor).atexit = False

    def _load(self, content: bytes) -> None:
        try:
            exports = read_exports(content)
            self.signatures = read_signatures(exports)
        except ValueError as error:
            raise ValueError(
                f"expected a library compiled by bquant, but got '{self.path}': {error}"
            ) from None
        here = os.uname().machine
        if exports.architecture != here:
            raise ValueError(
                f"cannot load '{self.path}': expected a library for {here}, which this machine "
                f"is, but got one for {exports.architecture}"
            )
        self._report = exports.report
        try:
            self._open()
            try:
                self._find_all()
            except BaseException:
                _ctypes.dlclose(self._handle)
                raise
        except (OSError, ValueError) as error:
            raise ValueError(f"cannot load '{self.path}': {error}") from None

    def _open(self) -> None:
        """While it is loaded the descriptor has to stay open: by its name the loader knows the
        library, and a debugger finds it."""
        process = os.path.realpath("/proc/self")
        while True:
            name = f"{process}/fd/{self._descriptor}"
            # A library that is loaded keeps its name, even if somebody has closed its descriptor
            # and this is another one of that number.
            try:
                taken = _ctypes.dlopen(name, os.RTLD_LAZY | os.RTLD_NOLOAD)
            except OSError:
                pass
            else:
                _ctypes.dlclose(taken)
                next_one = fcntl.fcntl(
                    self._descriptor, fcntl.F_DUPFD_CLOEXEC, self._descriptor + 1
                )
                os.close(self._descriptor)
                self._descriptor = next_one
                continue
            try:
                self._handle = _ctypes.dlopen(name, os.RTLD_NOW | os.RTLD_LOCAL)
            except OSError as error:
                raise OSError(str(error).removeprefix(f"{name}: ")) from None
            return

    def _find_all(self) -> None:
        self._addresses = {
            function["symbol"] + suffix: self._find(function["symbol"] + suffix)
            for function in self.signatures
            for suffix in entry_suffixes(function)
        }
        for function in self.signatures:
            self._check_forced_version(function)

    def _find(self, symbol: str) -> int:
        try:
            return _ctypes.dlsym(self._handle, symbol)
        except OSError:
            raise ValueError(f"expected a symbol '{quote(symbol)}', but got none") from None

    def get_version(self, function: dict) -> str | None:
        """The CPU whose version of a function runs; None where none does, or there is only one."""
        if "versions" not in function:
            return None
        cpu = self.function(function["symbol"] + "_version", ctypes.c_char_p)()
        return None if cpu is None else cpu.decode(errors="replace")

    def _check_forced_version(self, function: dict) -> None:
        """Whoever forces a version by the environment means one that there is."""
        forced = os.environ.get(_FORCED)
        if not forced or "versions" not in function or forced in function["versions"]:
            return
        if self.get_version(function) is None:
            raise ValueError(
                f"expected {_FORCED} to be one of {quote(', '.join(function['versions']))}, but "
                f"got '{quote(forced)}'"
            )

    def function(self, symbol: str, result, *arguments):
        """The function of that symbol, as ctypes calls it without Python's lock."""
        return ctypes.CFUNCTYPE(result, *arguments)(self._addresses[symbol])

    def read_report(self) -> Reports:
        if self._report is None:
            raise ValueError(
                f"expected a library that carries its report, but got '{self.path}', which has "
                "none: compile it again"
            )
        try:
            reports = Reports.parse(get_text(self._report, _REPORT_PLACE))
        except ValueError as error:
            raise ValueError(f"expected a report in '{self.path}', but got: {error}") from None
        # All functions have the same versions.
        return reports.of(self.get_version(self.signatures[0]))


def _copy(path: str) -> tuple[int, bytes]:
    """A file in memory with what is in `path`, and that."""
    # Without O_NONBLOCK a pipe would wait for somebody to write.
    with open(path, "rb", opener=lambda p, flags: os.open(p, flags | os.O_NONBLOCK)) as file:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            raise ValueError(f"cannot open '{path}': expected a regular file")
        content = file.read()
    # The name is what /proc/PID/maps shows; it has a limit.
    name = os.fsencode(os.path.basename(path))[-200:]
    descriptor = os.memfd_create(name, os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
    try:
        with open(descriptor, "wb", closefd=False) as file:
            file.write(content)
        fcntl.fcntl(descriptor, _ADD_SEALS, _ALL_SEALS)
    except BaseException:
        os.close(descriptor)
        raise
    return descriptor, content


def _unload(handle: int, descriptor: int) -> None:
    _ctypes.dlclose(handle)
    os.close(descriptor)
