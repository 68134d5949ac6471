"""A panel's three tables from the arrays that the searches found."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import polars as pl

from data.build.remedies import audit, edits, write
from data.build.remedies.reference import (
    BANKS,
    CLAUDE,
    EDITED,
    EXPLORATORY,
    GPT4O,
    GPT5,
    GPT52,
    GUISES,
    HOLDOUT,
    JEV,
    MITIGATED,
    ORDERS,
    PERSONAS,
    names,
)

STYLES = ("A", "B", "C")
PRIMARY = ORDERS[0]
AUDITORS = (CLAUDE, GPT52)
VERDICTS = np.array(["preserved", "minor", "material"])
CATEGORIES = np.array(["certainty", "event", "amount", "date", "requested_relief", "entity"])


@dataclass(frozen=True)
class Found:
    """Everything that was searched for; hundredths are (p1, p2) on the last axis."""

    gpt: tuple[np.ndarray, np.ndarray]
    """Tiers on the holdout, a model each."""
    jev: np.ndarray
    """(complaints, guises, banks, orders, 2)."""
    explored: tuple[np.ndarray, np.ndarray]
    jev_explored: np.ndarray
    """(complaints, guises, banks, 2)."""
    edited: tuple[np.ndarray, np.ndarray]
    """(complaints, edits)."""
    jev_edited: np.ndarray
    """(complaints, edits, orders, 2)."""
    edited_styles: np.ndarray
    """(complaints, texts, styles)."""
    jev_edited_styles: np.ndarray
    styles: np.ndarray
    """(complaints, guises, styles)."""
    jev_styles: np.ndarray
    rescored: np.ndarray
    """Places of the texts scored twice, in (complaint, guise, bank) order, and their hundredths."""
    again: np.ndarray
    baseline: np.ndarray
    """Places of the baseline's complaints."""
    fresh: tuple[np.ndarray, np.ndarray]
    """Their tiers under M0 and M1 decided again."""
    jev_fresh: tuple[np.ndarray, np.ndarray]


def decisions(f: Found) -> pl.DataFrame:
    """Every decision."""
    return pl.concat([*_guises(f), *_edits(f), *_styles(f), *_repeats(f)])


def _guises(f: Found) -> Iterator[pl.DataFrame]:
    for panel, letter, count, tiers in (
        ("holdout", "h", HOLDOUT, f.gpt),
        ("exploratory", "e", EXPLORATORY, f.explored),
    ):
        for b, bank in enumerate(BANKS):
            texts = write.keys(names(letter, count), panel=panel, bank=bank)
            yield write.labels(texts, bank, tiers[b])
            if panel == "exploratory":
                yield write.scores(texts, JEV, PRIMARY, f.jev_explored[:, :, b])
            else:
                for o, order in enumerate(ORDERS):
                    yield write.scores(texts, JEV, order, f.jev[:, :, b, o])


def _edits(f: Found) -> Iterator[pl.DataFrame]:
    complaints = names("h", EDITED)
    for e, edit in enumerate(edits.EDITS):
        texts = write.keys(complaints, bank=GPT4O, edit=edit)
        for system, tiers in ((GPT4O, f.edited[0]), (GPT5, f.edited[1])):
            yield write.labels(texts, system, tiers[:, e])
        for o, order in enumerate(ORDERS):
            yield write.scores(texts, JEV, order, f.jev_edited[:, e, o])
    for e, edit in enumerate(edits.STYLED):
        for s, style in enumerate(STYLES):
            texts = write.keys(complaints, bank=GPT4O, edit=edit, style=style)
            yield write.labels(texts, GPT4O, f.edited_styles[:, e, s])
            yield write.scores(texts, JEV, PRIMARY, f.jev_edited_styles[:, e, s])


def _styles(f: Found) -> Iterator[pl.DataFrame]:
    for s, style in enumerate(STYLES):
        texts = write.keys(names("h", MITIGATED), bank=GPT4O, style=style)
        yield write.labels(texts, GPT4O, f.styles[:, :, s])
        yield write.scores(texts, JEV, PRIMARY, f.jev_styles[:, :, s])


def _repeats(f: Found) -> Iterator[pl.DataFrame]:
    everyone = names("h", HOLDOUT)
    place = {bank: b for b, bank in enumerate(BANKS)}
    for bank, b in place.items():
        here = f.rescored % len(BANKS) == b
        texts = write.keys(everyone, bank=bank, repeat=1)
        chosen = texts[(f.rescored[here] // len(BANKS)).tolist()]
        yield write.scores(chosen, JEV, PRIMARY, f.again[here])
    complaints = [everyone[c] for c in f.baseline]
    for arm, style in enumerate(("none", "A")):
        texts = write.keys(complaints, bank=GPT4O, style=style, repeat=2)
        yield write.labels(texts, GPT4O, f.fresh[arm])
        yield write.scores(texts, JEV, PRIMARY, f.jev_fresh[arm])


def attributes(
    guises: np.ndarray, styled: np.ndarray, edited: np.ndarray, levels: dict[str, np.ndarray]
) -> pl.DataFrame:
    """Attributes of guises, of style A and of originals and edits."""
    everyone = names("h", HOLDOUT)
    frames = [write.attribute_rows(write.keys(everyone, bank=GPT4O), guises, levels)]
    texts = write.keys(everyone[:MITIGATED], bank=GPT4O, style="A")
    frames.append(write.attribute_rows(texts, styled, {}))
    for e, edit in enumerate(edits.STYLED):
        texts = write.keys(everyone[:EDITED], bank=GPT4O, edit=edit)
        frames.append(write.attribute_rows(texts, edited[:, e], {}))
    return pl.concat(frames)


def audits(
    complaints: np.ndarray,
    flags: np.ndarray,
    weights: tuple[float, float],
    mixed: np.ndarray,
    rng: np.random.Generator,
) -> pl.DataFrame:
    """Verdicts on guises, standardised texts and edits.

    Parameters
    ----------
    complaints : ndarray
        Places of the audited complaints, the unanimous stratum first.
    flags : ndarray, shape (complaints, guises, auditors)
    weights : tuple of float
        Population shares of the strata.
    mixed : ndarray of bool, shape (complaints of the holdout,)
        Whether a complaint is in the second stratum.
    rng : numpy.random.Generator
    """
    amounts, years = audit.exact_checks(flags, rng)
    everyone = names("h", HOLDOUT)
    texts: list[dict[str, object]] = []
    material = [flags.reshape(-1, 2).astype(int)]
    for i, c in enumerate(complaints):
        s = i // audit.SAMPLED
        for k, persona in enumerate(PERSONAS):
            texts.append(
                _text(everyone[c], persona, "guise", "none", "guise", s, weights)
                | {"amounts_match": not amounts[i, k], "years_match": not years[i, k]}
            )
    places, styled = audit.styled(mixed[:MITIGATED], weights, rng)
    material.append(styled.reshape(-1, 2))
    for s, own in enumerate(places):
        for c in own:
            for style in STYLES:
                persona = PERSONAS[rng.integers(GUISES)]
                texts.append(
                    _text(everyone[c], persona, "guise", style, "standardised", s, weights)
                    | {"amounts_match": True, "years_match": True}
                )
    chosen = np.sort(rng.permutation(EDITED)[: audit.EDITED_TEXTS // 2])
    material.append(audit.pattern(audit.EDITED_TEXTS, audit.EDIT_FLAGS, rng))
    for edit in ("strengthen", "weaken"):
        for c in chosen:
            texts.append(
                _text(everyone[c], (None,) * 4, edit, "none", "edit", None, weights)
                | {"amounts_match": None, "years_match": None}
            )
    verdicts = audit.verdicts(np.concatenate(material), rng)
    return write.audit_rows(_judged(texts, verdicts, rng))


def _text(
    complaint: str,
    persona: tuple[str | None, ...],
    edit: str,
    style: str,
    kind: str,
    stratum: int | None,
    weights: tuple[float, float],
) -> dict[str, object]:
    age, geography, education, ses = persona
    return {
        "panel": "holdout",
        "bank": GPT4O,
        "complaint": complaint,
        "age": age,
        "geography": geography,
        "education": education,
        "ses": ses,
        "edit": edit,
        "style": style,
        "repeat": 0,
        "text_kind": kind,
        "stratum": None if stratum is None else audit.STRATA[stratum],
        "weight": None if stratum is None else weights[stratum],
    }


def _judged(
    texts: list[dict[str, object]], verdicts: np.ndarray, rng: np.random.Generator
) -> Iterator[dict[str, object]]:
    for text, found in zip(texts, verdicts, strict=True):
        for auditor, verdict in zip(AUDITORS, found, strict=True):
            kinds = rng.permutation(CATEGORIES)[: int(verdict)]
            yield text | {
                "auditor": auditor,
                "valid": True,
                "verdict": str(VERDICTS[verdict]),
                "categories": ";".join(sorted(kinds)) or None,
            }
