"""The shipped panels of every study, reduced, for tests that go over all studies."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

from core import claims
from core.basis import Ensemble
from core.panels.catalogue import shipped
from core.panels.read import Panel
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
def panels(name: str) -> tuple[Panel, ...]:
    """Read the shipped reconstructions of a study."""
    read = [one.read() for one in shipped(name, study(name).table)]
    return tuple(panel for panel in read if panel.provenance.kind == "reconstructed")


@cache
def statistics(name: str, number: int = 0) -> Any:
    """Reduce one shipped panel of a study."""
    panel = panels(name)[number]
    if name == "clauses":
        twin = panel.name.replace("determinations", "archetypes")
        flags = next(one for one in shipped(name, "archetypes") if one.path.stem == twin)
        return REDUCE[name](panel.frame, flags.read().frame)
    return REDUCE[name](panel.frame)


@cache
def ensemble(name: str) -> Ensemble[Any, Any]:
    """Put all shipped panels of a study together."""
    found = panels(name)
    pins = tuple(found[0].provenance.pinned_ids)
    own = [statistics(name, number) for number in range(len(found))]
    return claims.of(name).ensemble(own, documented=True, pins=pins)
