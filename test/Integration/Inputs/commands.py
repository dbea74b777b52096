"""The commands that a page shows under a heading: commands.py PAGE HEADING."""

import re
import sys
from pathlib import Path

page, heading = sys.argv[1:]
section = Path(page).read_text().split(f"\n## {heading}\n")[1].split("\n## ")[0]
print("\n".join(re.findall(r"```sh\n(.*?)```", section, re.S)))
