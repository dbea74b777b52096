"""The experiments of "Least squares binary quantization of neural networks" (Pouransari, Tu, Tuzel,
arXiv 2001.02786) on real images, each as a table (CSV), a picture (PNG) and a page (HTML) that has
what the paper claims beside what was found.

    python -m bquant.study [NAME ...] [--model M] [--data D] [--seeds N] [--fast]

What it has trained stays in the output folder; stopped, it goes on from the last epoch.
"""

from .._requirements import import_matplotlib, import_torch

import_torch("bquant.study")
import_matplotlib("bquant.study")

from .experiments import EXPERIMENTS
from .setting import Setting
from .study import Study

__all__ = ["EXPERIMENTS", "Setting", "Study"]
