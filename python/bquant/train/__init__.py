"""A small recipe that trains scaled-binary networks: Adam, a learning rate that decays as a
polynomial, distillation from the float network, checkpoints from which a training goes on to the
same bits. The paper's own training, `Recipe.paper()`, is longer, from random weights and with
temperature 1; it wants a GPU (`device=`), or several (`join`).

    data = bquant.datasets.load("fashion-mnist")
    teacher = bquant.train.train(float_network, data, Recipe(epochs=10))
    model.load_state_dict(teacher.state_dict(), strict=False)  # a warm start
    bquant.train.train(model, data, Recipe(epochs=10), teacher=teacher, checkpoint="run.pt")
"""

from .._requirements import import_torch

import_torch("bquant.train")

from .bop import Bop
from .loop import Diverged, accuracy, predict, read_checkpoint, train, warm_start
from .processes import join
from .recipe import Recipe

__all__ = [
    "Bop",
    "Diverged",
    "Recipe",
    "accuracy",
    "join",
    "predict",
    "read_checkpoint",
    "train",
    "warm_start",
]
