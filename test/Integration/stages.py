"""Holds the table of stages on docs/route.md against the pipelines: stages.py BQUANT-OPT [PAGE].

Prints each row whose passes are not those of its pipeline, in their order; then
the exit code is 1.
"""

import re
import subprocess
import sys
from pathlib import Path

tool = sys.argv[1]
page = Path(sys.argv[2]) if len(sys.argv) > 2 else Path(__file__).parents[2] / "docs" / "route.md"
rows = re.findall(r"^\| ([\w-]+) \| `--(bquant-\1-pipeline)` \| (.*) \|$", page.read_text(), re.M)
wrong = 0
for _, pipeline, cells in rows:
    dump = subprocess.run(
        [tool, f"--{pipeline}", "--dump-pass-pipeline"],
        check=True,
        input="module {}",
        capture_output=True,
        text=True,
    ).stderr
    actual = re.findall(
        r"^ *(convert-linalg-to-product|(?:convert-)?bquant-[a-z0-9-]+)", dump, re.M
    )
    shown = re.findall(r"`--([a-z0-9-]+)`", cells)
    if shown != actual:
        wrong += 1
        print(f"{pipeline}: expected {', '.join(actual)}, but got {', '.join(shown)}")
print(f"{len(rows)} stages, {wrong} of other passes")
sys.exit(min(wrong, 1))
