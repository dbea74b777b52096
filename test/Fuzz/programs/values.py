"""What constants hold: the numbers on which matchers, folds and kernels decide."""

import numpy as np

from .grammar import Reject


def _scale(rng, exact, shape):
    """Positive factors."""
    if exact:
        return rng.integers(1, 9, shape) / 2.0 ** rng.integers(0, 4)
    return rng.uniform(0.01, 1.5, shape)


def _signs(rng, shape):
    return rng.choice([-1.0, 1.0], shape)


def _numbers(rng, exact, shape):
    if exact:
        return rng.integers(-8, 9, shape) / 4.0
    return rng.normal(0, 0.5, shape)


def filter(rng, exact, shape):
    """Of outputs first: planes with a factor for each output or for all, levels, or any numbers."""
    each = (shape[0],) + (1,) * (len(shape) - 1)
    scale = _scale(rng, exact, each if rng.random() < 0.7 else (1,) * len(shape))
    kind = rng.integers(9)
    if kind <= 2:
        array = _signs(rng, shape) * scale
    elif kind == 3:
        array = rng.choice([-1.0, 0.0, 1.0], shape) * scale
    elif kind == 4:
        array = _signs(rng, shape) * scale + _signs(rng, shape) * _scale(rng, exact, each)
    elif kind == 5:
        array = rng.choice([-3.0, -1.0, 1.0, 3.0], shape) * scale
    elif kind == 6:
        array = rng.choice(_numbers(rng, exact, 4), shape)
    elif kind == 7:
        array = _numbers(rng, exact, shape)
    else:
        array = np.full(shape, _numbers(rng, exact, ())) * rng.choice([0.0, 1.0], each)
    if rng.random() < 0.1 and shape[0]:
        array[rng.integers(shape[0])] = 0
    return array.astype(np.float32)


def vector(rng, exact, shape):
    """For each channel, negative ones and zeros among them."""
    array = _numbers(rng, exact, shape) * (rng.random(shape) >= 0.1)
    return np.asarray(array, np.float32)


def positive(rng, exact, shape):
    return _scale(rng, exact, shape).astype(np.float32)


def scalars(rng, exact, shape):
    """Of planes, the first dimension."""
    array = _scale(rng, exact, shape)
    if rng.random() < 0.7:
        array = np.sort(array, 0)[::-1]
    if rng.random() < 0.05:
        array[rng.integers(shape[0])] = 0
    return np.ascontiguousarray(array, np.float32)


def ascending(rng, exact, shape):
    """Thresholds along the last dimension, some of them equal."""
    return np.sort(_numbers(rng, exact, shape), -1).astype(np.float32)


def integers(rng, exact, shape):
    """Ascending along the last dimension."""
    return np.sort(rng.integers(-20, 21, shape), -1).astype(np.int32)


def signs(rng, exact, shape):
    del exact
    return _signs(rng, shape).astype(np.float32)


def bytes(rng, exact, shape):
    """Weights, some of them of hardly any levels, some of less than all bits."""
    del exact
    most = rng.choice([1, 3, 31, 63, 127])
    return rng.integers(-most, most + 1, shape).astype(np.int8)


def words(rng, exact, shape):
    del exact
    return rng.integers(-(2**31), 2**31, shape).astype(np.int32)


def codes(rng, planes):
    """A code of each of the steps that thresholds make: any, or those of a cascade."""
    count = 2**planes
    if rng.random() < 0.6:
        return list(range(count))
    return [int(c) for c in rng.integers(0, count, rng.integers(2, 6))]


def require(condition):
    if not condition:
        raise Reject
