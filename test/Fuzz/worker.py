"""Judges programs of a level of Python: worker.py [--all] LEVEL SEED...

In a process of its own, so that a crash is a finding like any other. Exit code 1: a line of
standard error says what is wrong with which seed.
"""

import sys
import traceback
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from programs.levels import LEVELS  # noqa: E402


def main():
    in_all_ways = sys.argv[1] == "--all"
    name, *seeds = sys.argv[1 + in_all_ways :]
    level = LEVELS[name]
    status = 0
    for program in level.draw(map(int, seeds)):
        try:
            message = level.judge(program, in_all_ways)
        except Exception as error:
            traceback.print_exc()
            message = f"refused: {type(error).__name__}: {error}".split("\n", 1)[0]
        if message is not None:
            print(f"p{program.seed}: {message}", file=sys.stderr)
            status = 1
    return status


if __name__ == "__main__":
    sys.exit(main())
