"""Numbers whose sums and products have no roundings in f32: every order of them gives the same."""

import dataclasses

import numpy as np

LIMIT = 2**24  # integers up to it are floats


@dataclasses.dataclass(frozen=True)
class Exact:
    """Multiples of 2^-step, of at most `bound` such steps."""

    bound: int
    step: int = 0

    @staticmethod
    def of(array):
        """What holds of the numbers of an array; None if they are not such."""
        array = np.asarray(array, np.float64)
        for step in range(13):
            scaled = array * 2.0**step
            if np.all(scaled == np.rint(scaled)):
                return Exact(int(np.abs(scaled).max(initial=0)), step)
        return None

    def fits(self):
        return self.bound < LIMIT

    def __mul__(self, other):
        return Exact(self.bound * other.bound, self.step + other.step)

    def _with(self, other, join):
        step = max(self.step, other.step)
        bounds = [x.bound << (step - x.step) for x in (self, other)]
        return Exact(join(bounds), step)

    def __add__(self, other):
        return self._with(other, sum)

    __sub__ = __add__

    def __or__(self, other):
        """One of the two."""
        return self._with(other, max)

    def __neg__(self):
        return self

    def sum(self, terms):
        return Exact(self.bound * terms, self.step)

    def rounded(self):
        return Exact((self.bound >> self.step) + 1)
