"""Panels as files that a reader might bring: good ones, bad ones, and names full of markup."""

from __future__ import annotations

import io
from collections.abc import Mapping

import polars as pl
import pyarrow.parquet as pq

from core.panels.catalogue import shipped
from tests.pages.apps import shipped_panel

NASTY = (
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "**bold** _italic_ ~~gone~~ `code`",
    "[x](javascript:alert(1)) ![y](z.png)",
    "$x^2$ :red[x] :material/home: :smile:",
    "🦔" * 200,
)
"""Names of models; each is text and nothing else."""


def parquet(frame: pl.DataFrame, metadata: Mapping[str, str] | None = None) -> bytes:
    table = frame.to_arrow(compat_level=pl.CompatLevel.oldest())
    table = table.replace_schema_metadata(dict(metadata or {}))
    buffer = io.BytesIO()
    pq.write_table(table, buffer)
    return buffer.getvalue()


def cells(study: str = "composition", table: str = "cells") -> dict[str, str]:
    return {"hinge.study": study, "hinge.table": table}


def renamed(names: tuple[str, ...], title: str = "") -> bytes:
    """The shipped rows under other names of models."""
    frame = shipped_panel().frame
    models = frame["model"].unique().sort().to_list()
    assert len(names) == len(models)
    frame = frame.with_columns(
        pl.col("model").replace_strict(dict(zip(models, names, strict=True)))
    )
    return parquet(frame, cells() | {"hinge.title": title, "hinge.source": title})


def one_model() -> bytes:
    """The shipped rows of one model, without saying where they come from."""
    frame = shipped_panel().frame
    return parquet(frame.filter(pl.col("model") == frame["model"][0]))


def evidence() -> bytes:
    """A good panel of the other table."""
    panel = shipped("composition", "evidence")[0].read()
    return parquet(panel.frame, cells(table="evidence"))


def bad() -> dict[str, bytes]:
    """Files that cannot be used, by what is wrong with them."""
    good = shipped_panel().frame
    whole = parquet(good, cells())
    return {
        "empty": b"",
        "text": b"model,regime\nm,joint\n",
        "truncated": whole[: len(whole) // 2],
        "no rows": parquet(good.clear(), cells()),
        "a column short": parquet(good.drop("n"), cells()),
        "other columns": parquet(pl.DataFrame({"a": [1]})),
        "text for counts": parquet(good.with_columns(pl.col("n").cast(pl.String)), cells()),
        "negative": parquet(good.with_columns(n=-pl.col("n") - 1), cells()),
        "repeated rows": parquet(pl.concat([good, good.head(1)]), cells()),
        "unknown study": parquet(good, cells(study="<b>other</b>")),
        "long name": parquet(good.with_columns(model=pl.lit("🦔" * 300)), cells()),
    }
