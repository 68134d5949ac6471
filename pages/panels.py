"""Where every number comes from, and bringing your own results."""

from __future__ import annotations

import streamlit as st

from core.export import table_file
from core.panels.provenance import KIND_MEANINGS
from core.panels.read import Limits
from core.panels.registry import CONTRACTS
from core.words import plain
from pages.parts import ledger, panels, upload

STUDY = "composition"

st.title("Panels", anchor=False)
st.header("Where every number comes from", anchor=False)
st.markdown("\n".join(f"- **{kind}**: {text}" for kind, text in KIND_MEANINGS.items()))

choose, bring, shapes, printed = st.tabs(
    ["Panels", "Bring your own", "Row shapes", "Ledger of printed figures"]
)

with choose:
    names = panels.available(STUDY, "cells")
    current = panels.in_use(STUDY, "cells").panel
    picked = st.selectbox(
        "Panel in use on the page “Who gets generated?”",
        list(names),
        index=list(names).index(current.hash),
        format_func=lambda value: f"{names[value]} ({value})",
    )
    if picked != current.hash:
        panels.use(STUDY, picked)
        st.rerun()
    provenance = current.provenance
    st.table(
        {
            "Kind": f"{provenance.kind}: {KIND_MEANINGS[provenance.kind]}",
            "Title": plain(provenance.title) or "not stated",
            "Source": plain(provenance.source) or "not stated",
            "Licence": plain(provenance.licence) or "not stated",
            "Made by": plain(provenance.generator) or "not stated",
            "Seed": plain(provenance.seed) or "not stated",
            "Rows": f"{current.frame.height:,}",
            "Printed figures it was fitted to": f"{len(provenance.pins):,}",
            "Checksum (sha256)": current.sha256,
        },
        border="horizontal",
    )
    st.download_button(
        "Rows as CSV",
        data=lambda: table_file(
            current.frame,
            [f"Panel {current.name} (sha256 {current.sha256})", f"Kind: {provenance.kind}"],
            form="csv",
        ),
        file_name=f"hinge-{STUDY}-{current.hash}.csv",
        mime="text/csv",
        on_click="ignore",
    )

with bring:
    upload.draw(Limits())

with shapes:
    for contract in CONTRACTS:
        st.subheader(f"{contract.study} / {contract.table}", anchor=False)
        st.caption(
            f"{contract.meaning}. One row for each {', '.join(contract.key)}. As parquet, with "
            f"the metadata hinge.study = {contract.study} and hinge.table = {contract.table}."
        )
        st.dataframe(
            contract.as_frame(),
            hide_index=True,
            alt=f"Columns of {contract.study} {contract.table}",
        )

with printed:
    ledger.draw(STUDY)
