"""Mutates texts and bytes by fixed seeds, runs a tool on them, and fails where the tool does
anything but succeed or report an error.

    mutate.py [--seeds FIRST LAST] [--whole] FILE TOOL ARGUMENT...

FILE is split at `// -----`; {} among the arguments stands for the file of mutants, of which many
go into one run (one, bytes and all, with --whole).
"""

import argparse
import os
import random
import re
import subprocess
import sys
import tempfile

NUMBERS = "0 1 2 3 -1 4 8 31 64 65 128 2147483648 4294967296 9223372036854775807 ?".split()


def mutate_text(text, rng):
    for _ in range(rng.choice([1, 1, 2, 3])):
        lines = text.split("\n")
        numbers = list(re.finditer(r"\d+", text))
        words = list(re.finditer(r"[A-Za-z_.]+", text))
        kind = rng.randrange(6)
        if kind == 0:
            del lines[rng.randrange(len(lines))]
            text = "\n".join(lines)
        elif kind == 1:
            lines.insert(rng.randrange(len(lines)), rng.choice(lines))
            text = "\n".join(lines)
        elif kind == 2 and text:
            at = rng.randrange(len(text))
            text = text[:at] + chr(rng.randrange(32, 127)) + text[at + 1 :]
        elif kind == 3 and numbers:
            at = rng.choice(numbers)
            text = text[: at.start()] + rng.choice(NUMBERS) + text[at.end() :]
        elif kind == 4 and numbers:  # everywhere, so that types still agree
            old, new = rng.choice(numbers).group(), rng.choice(NUMBERS)
            text = re.sub(rf"(?<=[x<\[ ,]){old}(?=[x,\]> ])", new, text)
        elif kind == 5 and words:
            at, other = rng.choice(words), rng.choice(words)
            text = text[: at.start()] + other.group() + text[at.end() :]
    return text


def mutate_bytes(data, rng):
    data = bytearray(data)
    for _ in range(rng.choice([1, 1, 2, 8])):
        if data:
            data[rng.randrange(len(data))] = rng.randrange(256)
    if rng.random() < 0.2:
        del data[rng.randrange(len(data)) :]
    return bytes(data)


def run(command, mutants, directory):
    """The tool's exit code and what it wrote, on a file of these mutants."""
    path = os.path.join(directory, "mutant.mlir")
    with open(path, "wb") as file:
        file.write(b"\n// -----\n".join(mutants))
    command = [argument.replace("{}", path) for argument in command]
    try:
        result = subprocess.run(command, capture_output=True, timeout=300, check=False)
    except subprocess.TimeoutExpired:
        return "none after 300 s", ""
    return result.returncode, (result.stdout + result.stderr).decode(errors="replace")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seeds", nargs=2, type=int, default=[0, 99])
    parser.add_argument("--whole", action="store_true")
    parser.add_argument("file")
    parser.add_argument("command", nargs=argparse.REMAINDER)
    options = parser.parse_args()
    with open(options.file, "rb") as file:
        source = file.read()
    parts = [source] if options.whole else source.split(b"// -----")
    together = 1 if options.whole else 25

    first, last = options.seeds
    with tempfile.TemporaryDirectory() as directory:
        code, output = run(options.command, parts, directory)
        if code != 0:
            print(f"expected exit code 0 for the file itself, but got {code}\n{output}")
            return 1
        for start in range(first, last + 1, together):
            mutants = []
            for seed in range(start, min(start + together, last + 1)):
                rng = random.Random(seed)
                part = rng.choice(parts)
                if options.whole:
                    mutants.append(mutate_bytes(part, rng))
                else:
                    mutants.append(mutate_text(part.decode(), rng).encode())
            if run(options.command, mutants, directory)[0] in (0, 1):
                continue
            for seed, mutant in enumerate(mutants, start):
                code, output = run(options.command, [mutant], directory)
                if code not in (0, 1):
                    print(f"seed {seed}: expected exit code 0 or 1, but got {code}\n{output}")
                    print(mutant.decode(errors="replace"))
                    return 1
            print(f"seeds from {start}: expected the failure of all together from one, too")
            return 1
    print(f"{last - first + 1} mutants")
    return 0


sys.exit(main())
