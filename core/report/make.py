"""Reports made from cite links."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

from core.panels.read import Panel
from core.report import link, of_view
from core.report.document import Document
from core.report.link import Cited, LinkError
from core.studies.reduced import Reduced, of_own, of_shipped
from core.views.every import view


def of_link(text: str, brought: Sequence[Panel] = ()) -> Document:
    """Make the report that a link asks for.

    Parameters
    ----------
    text
        A cite link of a study's page.
    brought
        Panels that the reader has, where the link is to one of them.

    Raises
    ------
    LinkError
        If the link names no view, or a panel that is neither shipped nor brought.
    """
    cited = link.read(text)
    return _compose(cited, _panel(cited, brought))


def of_panel(text: str, found: Reduced) -> Document:
    """Make the report of a view whose panel is at hand; its link names the choices."""
    return _compose(link.read(text), found)


def _compose(cited: Cited, found: Reduced) -> Document:
    return of_view.compose(
        view(found, cited.choices, cited.looking),
        link=cited.address(found.panel.hash),
        made=datetime.now(UTC).date(),
        repairs=cited.repairs,
    )


def _panel(cited: Cited, brought: Sequence[Panel]) -> Reduced:
    mine = [p for p in brought if p.hash == cited.panel]
    wanted = (cited.study.name, cited.study.table)
    if mine and (mine[0].contract.study, mine[0].contract.table) == wanted:
        return of_own(mine[0], tuple(brought))
    found = of_shipped(cited.study.name, cited.panel)
    if found is None:
        have = ", ".join(f"{p.name} ({p.hash})" for p in brought) or "none"
        raise LinkError(
            f"The link was made with the panel whose checksum begins {cited.panel}, which is not "
            f"shipped; brought with --panel: {have}. Give its parquet file with --panel."
        )
    return found
