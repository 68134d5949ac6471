"""Which texts and labels the choices leave in."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from core.choices import Choices
from core.studies.filenames import design
from core.studies.filenames.choices import DECLARATION, LABELS, SCOPE
from core.studies.filenames.reduce import Statistics, StudyStatistics


def in_scope(statistics: Statistics, choices: Choices) -> StudyStatistics:
    """Return the chosen study without the texts and labels that are left out; kept.

    Names that the study does not know cannot be ticked and always count.
    """
    others = [choice.key for choice in DECLARATION if choice.key not in SCOPE]
    return _in_scope(statistics, choices.without(others))


@lru_cache(maxsize=64)
def _in_scope(statistics: Statistics, choices: Choices) -> StudyStatistics:
    study = choices.text("study")
    whole = statistics.in_study(study)
    labels = _kept(whole.label_names, choices.many(LABELS[study]), design.labels(study))
    if study == "1":
        texts = _kept(whole.texts["text"].to_list(), choices.many("documents"), design.documents())
    else:
        genres = _kept(whole.texts["genre"].to_list(), choices.many("genres"), design.GENRES)
        authors = whole.texts["author_family"].to_list()
        texts = genres & _kept(authors, choices.many("authors"), design.families())
    return whole.part(texts, labels)


def _kept(names: list[str], chosen: tuple[str, ...], known: tuple[str, ...]) -> NDArray[np.bool_]:
    return np.array([name in chosen or name not in known for name in names], dtype=np.bool_)
