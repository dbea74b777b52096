"""What bad models are answered with."""

import bquant
import pytest


def refuses(model, error, *parts):
    """One line with all parts in it."""
    with pytest.raises(error) as info:
        bquant.compile(model)
    text = str(info.value)
    assert "\n" not in text
    for part in parts:
        assert part in text, text
