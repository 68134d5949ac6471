"""Where every number comes from, and bringing your own results."""

from __future__ import annotations

import streamlit as st

from core.export import table_file
from core.panels.provenance import KIND_MEANINGS
from core.panels.read import Limits
from core.panels.registry import CONTRACTS
from core.studies import about
from core.studies.about import STUDIES
from core.words import plain
from pages.parts import ledger, panels, upload

st.title("Panels", anchor=False)
st.header("Where every number comes from", anchor=False)
st.markdown("\n".join(f"- **{kind}**: {text}" for kind, text in KIND_MEANINGS.items()))

if turn_to := st.session_state.pop(upload.TURN_TO, None):
    st.session_state["panels:study"] = turn_to
name = st.pills(
    "Study",
    [known.name for known in STUDIES],
    format_func=lambda value: about.study(value).title,
    default=None if turn_to else STUDIES[0].name,
    required=True,
    key="panels:study",
    persist_state="session",
    wrap=True,
)
study = about.study(str(name))

choose, bring, shapes, printed = st.tabs(
    ["Panels", "Bring your own", "Row shapes", "Ledger of printed figures"]
)

with choose:
    names = panels.available(study.name, study.table)
    current = panels.in_use(study.name, study.table).panel
    picked = st.selectbox(
        f"Panel in use on the page “{study.title}”",
        list(names),
        index=list(names).index(current.hash),
        format_func=lambda value: f"{names[value]} ({value})",
    )
    if picked != current.hash:
        panels.use(study.name, picked)
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
        },
        border="horizontal",
    )
    st.caption("Checksum of the file (sha256)")
    st.code(current.sha256, language=None, wrap_lines=True)
    st.download_button(
        "Rows as CSV",
        data=lambda: table_file(
            current.frame,
            [f"Panel {current.name} (sha256 {current.sha256})", f"Kind: {provenance.kind}"],
            form="csv",
        ),
        file_name=f"hinge-{study.name}-{current.hash}.csv",
        mime="text/csv",
        on_click="ignore",
    )

with bring:
    upload.draw(Limits())

with shapes:
    for contract in (known for known in CONTRACTS if known.study == study.name):
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
    ledger.draw(study.name)
