"""Runs a command whose standard error is a terminal.

    terminal.py TERM COMMAND ARGUMENT...

Prints what the command writes there, a line for each that it writes over, with ESC for escapes, and
then its standard output.
"""

import os
import pty
import subprocess
import sys

term, *command = sys.argv[1:]
ours, its = pty.openpty()
environment = {**os.environ, "TERM": term}
process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=its, env=environment)
os.close(its)
written = b""
while True:
    try:
        data = os.read(ours, 4096)
    except OSError:  # the other end is closed
        break
    if not data:
        break
    written += data
output = process.stdout.read()
code = process.wait()
lines = written.decode().replace("\r\n", "\n").replace("\x1b", "ESC").replace("\r", "\n<")
print(f"terminal: {lines}\noutput: {output.decode()}\nexit: {code}")
