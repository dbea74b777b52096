"""The list of seeded faults fits the sources, and places for random ones are found: `./dev
mutate` and `./dev mutants` need hours that `./dev test` does not have."""

import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools" / "dev"))
import mutant_places  # noqa: E402
import mutate  # noqa: E402

FAULTS = mutate.read_faults()


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
def test_applies(fault):
    text = (ROOT / fault.file).read_text()
    assert fault.apply(text) != text


def test_unlike():
    assert len({fault.name for fault in FAULTS}) == len(FAULTS)
    assert len({(fault.file, fault.old, fault.new) for fault in FAULTS}) == len(FAULTS)


def test_places():
    """Mutants within each other, and none where nothing is computed when the program runs."""
    source = b"""#include "a.h"
static constexpr int kSize = 1 + 2;
bool f(int a, int b) {
  assert(a < b);
  if (a - b < 3)
    f(b, a);
  return emitError("no") << a;
}
"""
    places = mutant_places.Finder("a.cpp", source).places
    found = {(place.kind, source[place.start : place.end].decode()) for place in places}
    assert found == {
        ("delete", "assert(a < b);"),
        ("negate", "a - b < 3"),
        ("<", "a - b < 3"),
        ("-", "a - b"),
        ("constant", "3"),
        ("delete", "f(b, a);"),
    }
    mutants = {
        n: mutant_places.Mutant(place, *place.choices[-1])
        for n, place in enumerate(places, 1)
        if place.kind in ("negate", "-", "delete")
    }
    text, where = mutant_places.strip_marks(mutant_places.render(source, 0, len(source), mutants))
    numbers = {(mutant.place.kind, mutant.place.start): n for n, mutant in mutants.items()}
    swapped = numbers["-", source.index(b"a - b")]
    negated = numbers["negate", source.index(b"a - b")]
    inner = f"(bquant_mutant({swapped}) ? (b) - (a) : a - b) < 3"
    assert f"if ((bquant_mutant({negated}) ? !({inner}) : bool({inner})))" in text
    line = next(n for n, line in enumerate(text.splitlines(), 1) if inner in line)
    column = text.splitlines()[line - 1].index("(b) - (a)") + 1
    assert where[line, column] == swapped
