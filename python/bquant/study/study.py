"""One study: a setting, the networks that are trained in it, and the experiments on them."""

from __future__ import annotations

import sys
from functools import cached_property

import torch

from ..datasets import Dataset, folder_of
from ..train.batches import check_loaders
from ..train.device import check_device, check_precision
from ..train.files import check_folder, only_one
from . import images, page, tables, trainings
from .experiments import EXPERIMENTS, WARM_STARTS
from .schemes import FLOAT, SCHEMES, Scheme, by_name
from .setting import Setting
from .trainings import Training

FAST_ROWS = 6


def choose(names: list[str], setting: Setting) -> list[str]:
    """The experiments of these names; none, or "all", for those that the recipe allows."""
    warm = WARM_STARTS if setting.of_paper else ()
    unknown = [name for name in names if name not in (*EXPERIMENTS, "all")]
    if unknown:
        raise ValueError(
            f"expected experiments of {', '.join(EXPERIMENTS)}, but got {', '.join(unknown)}"
        )
    if not names or "all" in names:
        return [name for name in EXPERIMENTS if name not in warm]
    if cold := [name for name in names if name in warm]:
        raise ValueError(
            f"expected the short recipe for {', '.join(cold)}, but got the paper's, whose "
            "networks do not start as the float one"
        )
    return names


class Study:
    """Args:
    workers: trainings at once.
    seeds: trainings of each row; None: as many as the row asks for (with --fast one).
    rows: names of the rows of `training` with commas, or "all"; None: those with a baseline's
        or the paper's main settings.
    """

    def __init__(
        self,
        setting: Setting,
        workers: int = 1,
        seeds: int | None = None,
        rows: str | None = None,
    ):
        if workers < 1:
            raise ValueError(f"expected at least 1 worker, but got {workers}")
        if seeds is not None and seeds < 1:
            raise ValueError(f"expected at least 1 seed, but got {seeds}")
        self.setting, self.workers = setting, workers
        self._seeds, self._rows = seeds, rows
        check_device(setting.device)
        check_precision(setting.precision)
        check_loaders(setting.loaders)
        folder = folder_of(setting.data)
        if folder is not None and setting.output.resolve().is_relative_to(folder.resolve()):
            raise ValueError(
                f"{setting.output}: expected an output outside of the images, but got a folder in "
                f"{folder}"
            )
        self.schemes = self._chosen(rows)
        # What does not fit is an error now, not behind the first epoch.
        data = self.data
        for scheme in self.schemes:
            setting.build(scheme, 0, data)
        for scheme in [FLOAT, *self.schemes]:
            setting.recipe_of(scheme, 0, setting.of(scheme).epochs)

    def _chosen(self, rows: str | None) -> list[Scheme]:
        if rows == "all":
            return SCHEMES
        if rows is not None:
            return [by_name(name.strip()) for name in rows.split(",")]
        return SCHEMES[: FAST_ROWS if self.setting.fast else 14]

    @cached_property
    def data(self) -> Dataset:
        return self.setting.load()

    def seeds(self, scheme: Scheme, usual: int | None = None) -> int:
        """Trainings of a scheme: those of `--seeds`, those usual in an experiment, or the row's."""
        return self._seeds or (1 if self.setting.fast else usual or scheme.seeds)

    def train(
        self, schemes: list[Scheme], usual: int | None = None, setting: Setting | None = None
    ) -> None:
        """Trains what is missing, `seeds(scheme, usual)` of each."""
        wanted = [
            Training(scheme, seed)
            for scheme in schemes
            for seed in range(self.seeds(scheme, usual))
        ]
        trainings.run(setting or self.setting, wanted, self.workers)

    def network(
        self, scheme: Scheme = FLOAT, seed: int = 0, setting: Setting | None = None
    ) -> torch.nn.Module:
        """A trained network, in eval mode."""
        setting = setting or self.setting
        trainings.run(setting, [Training(scheme, seed)], self.workers)
        return trainings.trained(setting, self.data, scheme, seed)

    def images(self, count: int = 128) -> torch.Tensor:
        """The first test images, as networks take them."""
        return self.data.prepare(self.data.test.images[:count])

    def run(self, names: list[str]) -> None:
        """`names`: of experiments; none, or "all", for those that the recipe allows."""
        names = choose(names, self.setting)
        check_folder(self.setting.output)
        with only_one(self.setting.output):
            images.check(self.setting, self.data)
            self._run(names)

    def command(self, name: str) -> str:
        """That makes an experiment's page again."""
        options = []
        if self._seeds is not None:
            options += ["--seeds", str(self._seeds)]
        if self._rows is not None:
            options += ["--rows", self._rows]
        return self.setting.command(*options, name)

    def _run(self, names: list[str]) -> None:
        for name in names:
            print(f"== {name}", flush=True)
            result = EXPERIMENTS[name].run(self)
            output = self.setting.output
            tables.write(output / f"{name}.csv", list(result.rows[0]), result.rows)
            page.write(output, name, result, self.command(name))
            for finding in result.findings:
                print(f"  {finding.claim}: {finding.found} ({finding.verdict})")
        print(f"tables, pictures, pages: {self.setting.output}/", file=sys.stdout)
