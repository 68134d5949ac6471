"""What a page says it does not show is true of the panel it is drawn from."""

from __future__ import annotations

from importlib import import_module

import pytest

from core.limits import Limits, heading
from core.panels.catalogue import shipped
from core.studies.about import STUDIES, Study


@pytest.mark.parametrize("study", STUDIES, ids=lambda study: study.name)
def test_what_the_document_leaves_open_is_said_of_its_rows_only(study: Study) -> None:
    found: Limits = import_module(f"core.studies.{study.name}.texts").LIMITS
    own, collected = (
        shipped(study.name, study.table, kind)[0].read() for kind in ("reconstructed", "collected")
    )
    assert found.always
    assert found.of_document
    assert found.of(own) == (*found.always, *found.of_document)
    assert found.of(collected) == found.always
    # Nothing that is said of any rows speaks of what the document prints or publishes.
    assert not any("print" in text or "publish" in text for text in found.always)
    assert heading(own) == "What this study cannot say"
    assert heading(collected) == "What this panel cannot say"
    assert heading(own, collected) == "What these studies cannot say"
    assert heading(collected, collected) == "What these panels cannot say"
