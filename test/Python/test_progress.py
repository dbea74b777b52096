"""How far a compilation is: `verbose` of `bquant.compile`, on a terminal and elsewhere."""

import subprocess
import sys
from pathlib import Path

import bquant
import pytest

TERMINAL = Path(__file__).parents[1] / "Tools/Inputs/terminal.py"
NET = Path(__file__).parents[1] / "Tools/Inputs/net.mlir"
STAGES = "read import raise solve fold select pack tile vectorize llvm optimize emit".split()


def script(verbose):
    return f"import bquant; print(bquant.compile({str(NET)!r}, verbose={verbose}).name)"


def on_terminal(verbose, term="xterm"):
    command = [sys.executable, TERMINAL, term, sys.executable, "-c", script(verbose)]
    text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    written, _, output = text.partition("output: ")
    assert output == "net\n\nexit: 0\n"
    return written.removeprefix("terminal: ")


@pytest.mark.parametrize("verbose", [None, True])
def test_terminal(verbose):
    empty, *lines = on_terminal(verbose).removesuffix("\n").split("\n")
    assert empty == "" and lines[-1] == "<ESC[K"
    names = [line.removeprefix("<bquant: ").removesuffix("ESC[K") for line in lines[:-1]]
    assert [name for name in names if "," not in name] == STAGES
    written = [name for name in names if "," in name]
    assert written == [f"emit, function {i + 1} of {len(written)}" for i in range(len(written))]
    assert written


def test_silence_on_terminals():
    assert on_terminal(False) == "\n"
    assert on_terminal(None, "dumb") == "\n"


def test_lines_where_nothing_can_be_erased(capfd):
    expected = "".join(f"bquant: {stage}\n" for stage in STAGES)
    assert on_terminal(True, "dumb") == expected + "\n"
    bquant.compile(str(NET), verbose=True)
    assert capfd.readouterr() == ("", expected)
    for verbose in (None, False):
        bquant.compile(str(NET), verbose=verbose)
        assert capfd.readouterr() == ("", "")


def test_without_standard_error(monkeypatch):
    """As in a program without a console."""
    monkeypatch.setattr(sys, "stderr", None)
    for verbose in (None, True):
        assert bquant.compile(str(NET), verbose=verbose).name == "net"


def test_a_stream_that_fails(monkeypatch, capfd):
    """What is written is no reason for a compilation to fail."""

    class Broken:
        def isatty(self):
            return False

        def write(self, text):
            if "read" not in text:
                raise OSError("expected a stream")

        def flush(self):
            pass

    unraisable = []
    monkeypatch.setattr(sys, "unraisablehook", unraisable.append)
    monkeypatch.setattr(sys, "stderr", Broken())
    assert bquant.compile(str(NET), verbose=True).name == "net"
    assert len(unraisable) == len(STAGES) - 1


def test_errors_erase_the_line():
    code = f"import bquant; bquant.compile({str(NET)!r}, strategy='popcount', target='x86-64')"
    command = [sys.executable, TERMINAL, "xterm", sys.executable, "-c", code]
    text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    assert "<ESC[KTraceback" in text and "exit: 1" in text
