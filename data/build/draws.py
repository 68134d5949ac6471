"""Keep the random draws that ship with the panels: ``python -m data.build.draws``.

The page finds them by the checksum of the panel's file, so draws made from other rows are never
shown; run this after every change of a panel.
"""

from __future__ import annotations

from core.panels.catalogue import shipped
from core.paths import DRAWS
from core.studies.composition import kept
from core.studies.composition.reduce import reduce_cells


def main() -> None:
    """Draw and keep the results of every shipped composition panel, and drop those of others."""
    panels = shipped("composition", "cells")
    current = {kept.path_of(panel.sha256) for panel in panels}
    for path in (DRAWS / "composition").glob("*.parquet"):
        if path not in current:
            path.unlink()
    for panel in panels:
        path = kept.path_of(panel.sha256)
        if not path.is_file():
            kept.write(kept.draw_shipped(reduce_cells(panel.read().frame)), panel.sha256)
        print(f"{panel.path.name}: {path.name}")


if __name__ == "__main__":
    main()
