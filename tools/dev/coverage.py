"""What `llvm-cov export -summary-only` found, by the folders of lib/."""

import collections
import json
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def main():
    (data,) = json.loads(Path(sys.argv[1]).read_text())["data"]
    found = collections.defaultdict(collections.Counter)
    for file in data["files"]:
        path = Path(file["filename"]).relative_to(ROOT / "lib")
        # Transforms have a folder each.
        folder = "/".join(path.parts[:-1][:4]) or "."
        for name in (folder, "all"):
            for kind in ("lines", "branches"):
                found[name][kind] += file["summary"][kind]["count"]
                found[name][kind, "run"] += file["summary"][kind]["covered"]
    width = max(map(len, found))
    print(f"{'folder of lib/':{width}}  lines          branches")
    for name in [*sorted(found.keys() - {"all"}), "all"]:
        counts = found[name]
        shares = [
            f"{100 * counts[kind, 'run'] / max(1, counts[kind]):5.1f} % of {counts[kind]:<6}"
            for kind in ("lines", "branches")
        ]
        print(f"{name:{width}}  {'  '.join(shares)}")


if __name__ == "__main__":
    main()
