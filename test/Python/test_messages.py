"""docs/messages.md: every number that a message may have, and every remark, is on the page."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "messages.md").read_text()
SOURCES = [p.read_text() for p in sorted((ROOT / "lib").rglob("*.cpp"))]
SOURCES += [p.read_text() for p in sorted((ROOT / "lib").rglob("*.h"))]


def test_numbers():
    numbers: dict[str, set[int]] = {}
    for source in SOURCES:
        for name, number in re.findall(r'[\["]([a-z0-9_]+)_c(\d+)[\]"]', source):
            numbers.setdefault(name, set()).add(int(number))
    assert len(numbers) > 10
    for name, found in numbers.items():
        first, last = f"`{name}_c1`", f"`{name}_c{max(found)}`"
        assert first in PAGE and last in PAGE, f"{name}_c1 to {name}_c{max(found)}"


def test_remarks():
    names = set()
    for source in SOURCES:
        names |= set(re.findall(r'RemarkOpts::name\(\s*"([^"]+)"', source))
        names |= set(re.findall(r'remarks::\w+\([^";]*,\s*"([^"]+)"', source))
        names |= set(re.findall(r'kRemarkName = "([^"]+)"', source))
    assert len(names) > 7
    for name in names:
        assert f"`{name}`" in PAGE, name
