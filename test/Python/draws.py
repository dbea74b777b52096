"""Random choices that a seed makes."""

import numpy as np


class Draws:
    def __init__(self, seed):
        self.rng = np.random.default_rng(seed)

    def one_of(self, *choices):
        return choices[self.rng.integers(len(choices))]

    def chance(self, probability):
        return self.rng.random() < probability
