"""The shipped panels of every study, reduced, for tests that go over all studies."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

from core import claims
from core.basis import Ensemble
from core.panels.catalogue import shipped
from core.studies.about import study
from core.studies.clauses.reduce import reduce_determinations
from core.studies.composition.reduce import reduce_cells
from core.studies.filenames.reduce import reduce_scores
from core.studies.remedies.reduce import reduce_remedies

REDUCE: Mapping[str, Callable[..., Any]] = {
    "composition": reduce_cells,
    "clauses": reduce_determinations,
    "filenames": reduce_scores,
    "remedies": reduce_remedies,
}


@cache
def statistics(name: str, number: int = 0) -> Any:
    """Reduce one shipped panel of a study."""
    panel = shipped(name, study(name).table)[number].read()
    if name == "clauses":
        return REDUCE[name](panel.frame, shipped(name, "archetypes")[number].read().frame)
    return REDUCE[name](panel.frame)


@cache
def ensemble(name: str) -> Ensemble[Any, Any]:
    """Put all shipped panels of a study together."""
    found = shipped(name, study(name).table)
    pins = tuple(found[0].read().provenance.pinned_ids)
    own = [statistics(name, number) for number in range(len(found))]
    return claims.of(name).ensemble(own, documented=True, pins=pins)
