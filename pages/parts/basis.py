"""What stands behind the numbers on the page: the other shipped reconstructions."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from core.basis import Basis
from core.choices import Choices
from core.columns import or_nan
from core.panels.read import Panel
from core.studies.composition import reconstructions
from core.studies.composition import tables as tabulate
from core.studies.composition.estimate import Findings
from core.studies.composition.paths import Curves
from core.studies.composition.reconstructions import Ensemble
from core.studies.composition.reduce import CellStatistics
from core.studies.composition.tables import Comparison
from pages.parts.panels import cell_statistics, twins


@dataclass(frozen=True)
class Behind:
    """The reconstructions behind a view; without them the panel's rows are its own."""

    ensemble: Ensemble | None

    @property
    def size(self) -> int:
        return self.ensemble.size if self.ensemble else 1

    def varies(self, models: pl.DataFrame) -> bool:
        """Whether some model's composite is not determined by the document."""
        return bool((models["number_basis"] == Basis.VARIES).any())

    def models(self, frame: pl.DataFrame) -> pl.DataFrame:
        found = reconstructions.composite_basis(self.ensemble) if self.ensemble else None
        return tabulate.with_basis(frame, found, self.size)

    def attributes(self, frame: pl.DataFrame) -> pl.DataFrame:
        found = reconstructions.module_basis(self.ensemble) if self.ensemble else None
        return tabulate.with_basis(frame, found, self.size)

    def agreement(self, findings: Findings, model: int) -> tuple[NDArray[np.int64], int]:
        if self.ensemble:
            return reconstructions.cell_agreement(self.ensemble, model), self.size
        return np.ones(findings.statistics.cells.height, dtype=np.int64), 1

    def flip_counts(self, comparison: Comparison) -> list[tuple[int, int]]:
        """Count flips in every reconstruction; by the interval rule only in the one shown."""
        choices = comparison.current.choices
        if self.ensemble and choices.text("rule") == "point":
            return reconstructions.flip_counts(self.ensemble)
        return [tabulate.count_flips(tabulate.cell_table(comparison), choices)]

    def swap_counts(self, path: Curves) -> list[int]:
        if self.ensemble:
            return reconstructions.swap_counts(self.ensemble, path)
        return [1] * path.crossings.height

    def shares_changed(self, models: pl.DataFrame, model: int) -> list[float]:
        if self.ensemble:
            return reconstructions.shares_changed(self.ensemble)[:, model].tolist()
        return [or_nan(models["share_changed"][model])]


def of(panel: Panel, statistics: CellStatistics, choices: Choices) -> Behind:
    """Analyse the other shipped reconstructions under the same choices."""
    if panel.provenance.kind != "reconstructed":
        return Behind(None)
    others = [cell_statistics(other) for other in twins(panel)]
    pins = panel.provenance.pinned_ids
    return Behind(reconstructions.ensemble(statistics, others, choices, pins))
