"""Reports made from cite links."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import UTC, date, datetime

import polars as pl

from core import claims
from core.choices import Choices
from core.multiverse.hinges import single_changes
from core.panels.read import Panel
from core.report import hinge_table, in_short, link, of_story, of_view
from core.report.document import Document
from core.report.link import Cited, LinkError
from core.stories import PATH
from core.stories import link as story_link
from core.stories.data import Story
from core.stories.tell import tell
from core.studies.about import Study, study
from core.studies.reduced import Reduced, of_own, of_shipped
from core.views.every import view


def of_link(text: str, brought: Sequence[Panel] = ()) -> Document:
    """Make the report that a link asks for.

    Parameters
    ----------
    text
        A cite link of a study's page, or a link of a story.
    brought
        Panels that the reader has, where the link is to one of them.

    Raises
    ------
    LinkError
        If the link names no view, or a panel that is neither shipped nor brought.
    """
    home, page, query = link.parts(text)
    if page == PATH:
        asked = story_link.read(query)
        found = {
            name: _panel(study(name), asked.panels.get(name, ""), brought)
            for name in asked.story.studies
        }
        return of_panels(asked.story, found, home)
    cited = link.read(text)
    return _compose(cited, _panel(cited.study, cited.panel, brought))


def of_panel(text: str, found: Reduced, singles: pl.DataFrame | None = None) -> Document:
    """Make the report of a view whose panel is at hand.

    Parameters
    ----------
    text
        Its cite link, which names the choices.
    found
        The panel.
    singles
        Single changes of its planned verdicts, where they were worked out already.
    """
    return _compose(link.read(text), found, singles)


def _compose(cited: Cited, found: Reduced, singles: pl.DataFrame | None = None) -> Document:
    told = view(found, cited.choices, cited.looking)
    single = _singles(found, cited.choices, singles)
    return of_view.compose(
        told,
        link=link.address(cited.home, cited.study, cited.choices, found.panel.hash, told.looking),
        made=_today(),
        short=in_short.rows(found, cited.choices, single, told.looking),
        hinges=hinge_table.blocks(found, cited.choices, single, looking=told.looking),
        repairs=(*cited.repairs, *told.repairs),
    )


def _singles(
    found: Reduced,
    choices: Choices,
    known: pl.DataFrame | None = None,
    *,
    only: Collection[str] | None = None,
) -> pl.DataFrame:
    """Work out the single changes that a report tells and that are not known; takes seconds."""
    study = claims.of(choices.study)
    statistics, ensemble = found.statistics[0], found.ensemble(study.ensemble_type)
    told = in_short.told_claims(study, statistics, choices)
    main = in_short.main_claim(study, statistics, told)
    wanted = [claim for claim in told if only is None or claim.key in only]
    if not wanted:
        return pl.DataFrame()
    parts = [single_changes(study, ensemble, wanted) if known is None else known]
    if main is not None and main not in told and only is None:
        parts.append(single_changes(study, ensemble, [main]))
    return pl.concat(parts)


def of_panels(story: Story, found: Mapping[str, Reduced], home: str) -> Document:
    """Make the report of a story whose panels are at hand, by study."""
    told = [tell(step, found[step.view.study.name]) for step in story.steps]
    hashes = {name: own.panel.hash for name, own in found.items()}
    address = story_link.address(home, story, 0, hashes)
    first = {own.view.study.name: own.view for own in reversed(told)}
    rests: dict[str, set[str]] = {}
    for own in told:
        keys = {own.judged.keys[k] for k in own.rests_on}
        rests.setdefault(own.view.study.name, set()).update(keys)
    hinges = {
        name: hinge_table.blocks(
            own,
            first[name].choices,
            _singles(own, first[name].choices, only=rests[name]),
            only=rests[name],
        )
        for name, own in found.items()
    }
    return of_story.compose(story, told, link=address, home=home, made=_today(), hinges=hinges)


def _today() -> date:
    return datetime.now(UTC).date()


def _panel(study: Study, wanted: str, brought: Sequence[Panel]) -> Reduced:
    mine = [p for p in brought if p.hash == wanted]
    if mine and (mine[0].contract.study, mine[0].contract.table) == (study.name, study.table):
        return of_own(mine[0], tuple(brought))
    found = of_shipped(study.name, wanted)
    if found is None:
        have = ", ".join(f"{p.name} ({p.hash})" for p in brought) or "none"
        raise LinkError(
            f"The link was made with the panel whose checksum begins {wanted}, which is not "
            f"shipped; brought with --panel: {have}. Give its parquet file with --panel."
        )
    return found
