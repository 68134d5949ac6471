"""Make a report from a cite link: ``python -m core.report --cite LINK --out FILE.html``."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from core.panels.problems import PanelError
from core.panels.read import Panel, read_upload
from core.report.html import write_html
from core.report.link import LinkError
from core.report.make import of_link
from core.report.word import write_word

WRITERS = {".html": write_html, ".docx": write_word}


def main(argv: Sequence[str] | None = None) -> int:
    """Write the report of a link; 1 with what is wrong and what to do when it cannot."""
    parser = argparse.ArgumentParser(prog="python -m core.report", description=__doc__)
    parser.add_argument("--cite", required=True, metavar="LINK", help="a “cite this view” link")
    parser.add_argument(
        "--out", required=True, type=Path, metavar="FILE", help="FILE.html or FILE.docx"
    )
    parser.add_argument(
        "--panel",
        type=Path,
        nargs="+",
        default=[],
        metavar="FILE",
        help="parquet files that a link to an imported panel needs",
    )
    options = parser.parse_args(argv)
    writer = WRITERS.get(options.out.suffix)
    if writer is None:
        parser.error(f"--out must end in .html or .docx; found {options.out.name!r}")
    try:
        report = of_link(options.cite, [_brought(path) for path in options.panel])
        options.out.write_bytes(writer(report))
    except (LinkError, PanelError, OSError) as error:
        print(f"No report: {error}", file=sys.stderr)
        return 1
    for told in report.warnings:
        print(f"Note: {told}", file=sys.stderr)
    print(f"{options.out} written.")
    return 0


def _brought(path: Path) -> Panel:
    return read_upload(path.read_bytes(), path.stem)


if __name__ == "__main__":
    sys.exit(main())
