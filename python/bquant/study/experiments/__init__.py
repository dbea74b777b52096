"""The experiments by name; another one joins by a line. Each module has `run(study) -> Result`."""

from . import angles, clamp, online, optimality, pareto, post_training, recipe, scaling, training

EXPERIMENTS = {
    "scaling": scaling,
    "optimality": optimality,
    "angles": angles,
    "post-training": post_training,
    "training": training,
    "pareto": pareto,
    "online": online,
    "clamp": clamp,
    "recipe": recipe,
}
