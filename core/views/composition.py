"""The composition study under one specification."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

import polars as pl

from core.charts import composition as charts
from core.charts.drawing import Drawing
from core.charts.grid import verdict_grid
from core.charts.marks import Look
from core.charts.theme import Palette
from core.choices import Choices
from core.studies.about import study
from core.studies.composition import kept, places, reconstructions, sentences, texts
from core.studies.composition import tables as tabulate
from core.studies.composition.choices import DECLARATION
from core.studies.composition.estimate import analyse
from core.studies.composition.kept import Uncertainty
from core.studies.composition.reconstructions import Ensemble
from core.studies.composition.reduce import CellStatistics
from core.studies.composition.tables import Comparison
from core.studies.reduced import Reduced
from core.views.looking import Looking
from core.views.view import Card, Chart, Listing, View, interval, marked, value

DECIMALS = 3


def ensemble(found: Reduced, choices: Choices) -> Ensemble | None:
    """Analyse all panels that stand for the same rows; None where a panel stands for itself."""
    if not found.documented:
        return None
    first, *others = found.statistics
    pins = found.panel.provenance.pinned_ids
    return reconstructions.ensemble(first, others, choices, pins)


def view(found: Reduced, choices: Choices, looking: Looking) -> View:
    """Tell the study under one specification; ``looking`` may name the model in ``focus``.

    Intervals are told where draws of this setting ship with the panel.
    """
    own, statistics = ensemble(found, choices), found.statistics[0]
    drawn = kept.read(found.panel.sha256).get(kept.setting(Uncertainty, choices))
    uncertainty = drawn if isinstance(drawn, Uncertainty) else None
    comparison = tabulate.compare(statistics, analyse(statistics, choices), uncertainty)
    size = own.size if own else 1
    models = tabulate.with_basis(
        tabulate.model_table(comparison),
        reconstructions.composite_basis(own) if own else None,
        size,
    )
    attributes = tabulate.with_basis(
        tabulate.attribute_table(comparison),
        reconstructions.module_basis(own) if own else None,
        size,
    )
    return View(
        study=study("composition"),
        panel=found.panel,
        declaration=DECLARATION,
        choices=choices,
        size=size,
        answer=sentences.opening(models, comparison),
        further=_further(models, comparison, own),
        claims=(
            "Within tolerance: a model’s shares lie no farther from the comparator than the "
            f"tolerance, {DECLARATION['tau'].say(choices['tau'])}.",
        ),
        charts=_charts(models, attributes, comparison, _looked_at(comparison, looking)),
        listings=_listings(models, attributes, comparison),
        judgement=_judgement(choices, uncertainty),
        limits=texts.LIMITS,
    )


def card(found: Reduced, choices: Choices) -> Card:
    """Tell which composites change sides; their figures are printed, so one panel is enough."""
    statistics = found.statistics[0]
    pins = found.panel.provenance.pinned_ids
    own = reconstructions.ensemble(statistics, (), choices, pins) if found.documented else None
    comparison = tabulate.compare(statistics, analyse(statistics, choices))
    models = tabulate.with_basis(
        tabulate.model_table(comparison), reconstructions.composite_basis(own) if own else None, 1
    )
    told = f"{sentences.composite_flips(models, choices)}."
    planned = choices.replace(tau=DECLARATION.planned["tau"])
    if choices["comparator"] != DECLARATION.planned["comparator"] and planned != choices:
        told += f" {_at_planned_tolerance(statistics, planned)} {sentences.turned(models)}".rstrip()
    if choices["comparator"] == DECLARATION.planned["comparator"]:
        told = f"{sentences.opening(models, comparison)} {told}"
    names = comparison.names
    return Card(told, models_chart(models, choices, names, names[0]), texts.COMPOSITE)


def _at_planned_tolerance(statistics: CellStatistics, choices: Choices) -> str:
    """Say what the comparator alone does to composites."""
    models = tabulate.model_table(tabulate.compare(statistics, analyse(statistics, choices)))
    tau = DECLARATION["tau"].say(choices["tau"])
    return f"At the planned tolerance of {tau}, {sentences.which_flip(models)}."


def _looked_at(comparison: Comparison, looking: Looking) -> str:
    """Return the model in focus; see that the cell which the link names is there."""
    names = comparison.names
    focus = looking.one_of("focus", names, names[0])
    if "cell" in looking.kept:
        cells = tabulate.cell_table(comparison).filter(pl.col("model") == focus)
        place = pl.col("attribute") + ": " + pl.col("context")
        label = pl.concat_str(place, "role", "format", separator=", ")
        looking.one_of("cell", cells.select(label.alias("label"))["label"].to_list(), "")
    return focus


def _further(models: pl.DataFrame, comparison: Comparison, own: Ensemble | None) -> tuple[str, ...]:
    choices, drawn = comparison.current.choices, comparison.uncertainty
    if own and choices.text("rule") == "point":
        counts = reconstructions.flip_counts(own)
    else:
        counts = [tabulate.count_flips(tabulate.cell_table(comparison), choices)]
    ties = (
        places.inseparable_pairs(
            comparison.current.chosen_composite, drawn.kept_chosen, comparison.names
        )
        if drawn
        else None
    )
    varies = own is not None and (models["number_basis"] == "varies").any()
    told = (
        texts.NOT_PRINTED if varies else "",
        sentences.flips(models, choices, counts),
        sentences.order(models, ties),
        *sentences.reasons(models),
        texts.occupation_note() if choices.text("comparator") == "occupational" else "",
        texts.zero_note(choices) if choices.text("comparator") == "power" else "",
    )
    return tuple(filter(None, told))


def _charts(
    models: pl.DataFrame, attributes: pl.DataFrame, comparison: Comparison, focus: str
) -> dict[str, Chart]:
    choices, names = comparison.current.choices, comparison.names
    return {
        "models": models_chart(models, choices, names, focus),
        "verdicts": verdicts_chart(models, attributes, choices, names, focus),
    }


def models_chart(models: pl.DataFrame, choices: Choices, names: list[str], focus: str) -> Chart:
    """Draw each model's composite, planned and now."""
    return Chart(
        "models",
        f"Each model against {texts.comparator_name(choices)}",
        partial(_models, models, choices, names, focus),
        texts.models_alt(models),
        texts.reading(choices, models),
    )


def verdicts_chart(
    models: pl.DataFrame,
    attributes: pl.DataFrame,
    choices: Choices,
    names: list[str],
    focus: str,
) -> Chart:
    """Draw the verdict on each model and attribute, planned and now."""
    grid = tabulate.grid_table(models, attributes)
    return Chart(
        "verdicts",
        "Verdicts, planned → now",
        partial(_verdicts, grid, names, focus),
        texts.grid_alt(grid),
        texts.grid_reading(choices, grid),
    )


def _models(
    models: pl.DataFrame, choices: Choices, names: list[str], focus: str, colours: Palette
) -> Drawing:
    return charts.model_comparison(
        models,
        tau=choices.number("tau"),
        unit=f"Composite {texts.measure_axis(choices)}",
        look=Look(colours, tuple(names), focus),
    )


def _verdicts(grid: pl.DataFrame, names: list[str], focus: str, colours: Palette) -> Drawing:
    return verdict_grid(grid, look=Look(colours, tuple(names), focus))


def _listings(
    models: pl.DataFrame, attributes: pl.DataFrame, comparison: Comparison
) -> tuple[Listing, ...]:
    drawn = comparison.uncertainty
    ends = [(None, None)] * models.height if drawn is None else drawn.chosen.tolist()
    unit = f"Composite {texts.measure_axis(comparison.current.choices)}"
    rows = [
        {
            "model": row["model"],
            "verdict as planned": marked(row["verdict_planned"]),
            "verdict now": marked(row["verdict_now"]),
            "planned": value(row["planned"], DECIMALS),
            "now": value(row["chosen"], DECIMALS),
            "interval": interval(end[0], end[1], DECIMALS),
            "average cell moves by": value(row["mean_change"], DECIMALS),
            "what stands behind it": row["reason"] or row["behind"],
        }
        for row, end in zip(models.iter_rows(named=True), ends, strict=True)
    ]
    note = (
        " Resampling shifts a divergence upward, so its interval may lie above it."
        if drawn
        else " Intervals are not drawn for these choices."
    )
    return (
        Listing("Composite of each model", pl.DataFrame(rows), f"{unit}.{note}"),
        Listing(
            "By attribute",
            pl.DataFrame([_attribute(row) for row in attributes.iter_rows(named=True)]),
            "Gender is reported apart and is not in the planned composite.",
        ),
    )


def _attribute(row: Mapping[str, Any]) -> dict[str, str]:
    return {
        "attribute": row["attribute"],
        "model": row["model"],
        "verdict as planned": marked(row["verdict_planned"]),
        "verdict now": marked(row["verdict_now"]),
        "planned": value(row["planned"], DECIMALS),
        "now": value(row["chosen"], DECIMALS),
        "what stands behind it": row["behind"],
    }


def _judgement(choices: Choices, drawn: Uncertainty | None) -> tuple[str, ...]:
    say = {choice.key: choice.say(choices[choice.key]) for choice in DECLARATION}
    sure = (
        f"Intervals: 95%, {say['draws']} bootstrap draws of each cell’s outputs, seed "
        f"{say['seed']}."
        if drawn
        else "No intervals are drawn for these choices."
    )
    return (
        f"A composite is within tolerance where its divergence is at most {say['tau']}. The rule "
        "is a diagnostic setting, not a legal or fairness cutoff.",
        "No hypothesis is tested, so there are no p-values and no adjustment for several tests.",
        sure,
    )
