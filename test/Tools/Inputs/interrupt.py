"""Sends a tool a signal while it writes to a pipe that nobody reads, ignored from the start or not.

    interrupt.py (ignored|default) SIGNAL PIPE TOOL ARGUMENT...

Makes PIPE, which the tool has to fill (more than 64 KiB), and prints what the tool does with the
signal then and how it ends.
"""

import os
import signal
import subprocess
import sys

how, name, pipe, *command = sys.argv[1:]
number = signal.Signals[name]
action = {"ignored": signal.SIG_IGN, "default": signal.SIG_DFL}[how]
os.mkfifo(pipe)
tool = subprocess.Popen(command, preexec_fn=lambda: signal.signal(number, action))
with open(pipe, "rb") as end:  # waits for the tool to open its own
    with open(f"/proc/{tool.pid}/status") as file:
        status = dict(line.split(":\t", 1) for line in file)
    ignores = int(status["SigIgn"], 16) >> (number - 1) & 1
    tool.send_signal(number)
    end.read()
os.unlink(pipe)
code = tool.wait()
print(
    f"{'ignores' if ignores else 'takes'} {name},",
    f"killed by {signal.Signals(-code).name}" if code < 0 else f"exit {code}",
)
