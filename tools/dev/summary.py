"""Closing lines of `./dev test`: one for each JUnit report, one for all.

Fails if a test failed, or if a report holds no test at all.
"""

import sys
import xml.etree.ElementTree as ET
from pathlib import Path


def count(report: Path) -> tuple[int, int, int]:
    """(passed, failed, skipped) of one report."""
    passed = failed = skipped = 0
    for case in ET.parse(report).iter("testcase"):
        if case.find("failure") is not None or case.find("error") is not None:
            failed += 1
        elif case.find("skipped") is not None or case.get("status") == "notrun":
            skipped += 1
        else:
            passed += 1
    return passed, failed, skipped


def main(reports: list[str]) -> int:
    results = {Path(r).stem: count(Path(r)) for r in reports}
    for name, (passed, failed, skipped) in results.items():
        print(f"{name}: {passed} passed, {failed} failed, {skipped} skipped")
    passed, failed, skipped = (sum(column) for column in zip(*results.values(), strict=True))
    print(f"{passed} passed, {failed} failed, {skipped} skipped")
    return 1 if failed or any(p == 0 for p, _, _ in results.values()) else 0


sys.exit(main(sys.argv[1:]))
