"""Sends a tool a signal while it reads its input, ignored from the start or not.

    interrupt.py (ignored|default) SIGNAL INPUT TOOL ARGUMENT...

Prints `exit N` or `killed by SIGNAL`. The tool gets INPUT on standard input, behind as many copies
of its first line as a pipe cannot hold: once they are written, the tool is reading.
"""

import fcntl
import signal
import subprocess
import sys

how, name, path, *command = sys.argv[1:]
number = signal.Signals[name]
action = {"ignored": signal.SIG_IGN, "default": signal.SIG_DFL}[how]
with open(path, "rb") as file:
    first, rest = file.readline(), file.read()

tool = subprocess.Popen(
    command,
    stdin=subprocess.PIPE,
    stdout=subprocess.DEVNULL,
    preexec_fn=lambda: signal.signal(number, action),
)
capacity = fcntl.fcntl(tool.stdin, fcntl.F_GETPIPE_SZ)
tool.stdin.write(first * (capacity // len(first) + 2))
tool.stdin.flush()
tool.send_signal(number)
try:
    tool.stdin.write(rest)
    tool.stdin.close()
except BrokenPipeError:
    pass  # it has ended
code = tool.wait()
print(f"killed by {signal.Signals(-code).name}" if code < 0 else f"exit {code}")
