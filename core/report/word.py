"""A report as a Word file: real headings, tables and lists, charts as pictures with their words."""

from __future__ import annotations

import io
import re
from collections.abc import Sequence
from itertools import zip_longest
from typing import Any

from core.report.document import (
    LONG,
    LONGEST,
    Block,
    Document,
    Facts,
    Grid,
    Heading,
    Link,
    Picture,
    Points,
    Shell,
    Text,
)
from core.report.pictures import png, width_cm
from core.words import unmarked

WIDTH_CM = 18.2
"""Between the margins of an A4 page."""

MARGIN_CM = 1.4

LABEL_CM = 3.8
"""Width of the labels of short answers."""

MARKED, HEAD = "FFF6E0", "E9EDF1"
"""Grounds of rows that stand out, and of the first row."""

WIDEST, PADDING = 70, 3.0
"""Characters that a column's text counts with at most, and those that its margins take."""

LETTERS = 18
"""Of a word that a column makes room for."""

_UNPRINTABLE = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""What XML cannot hold."""


def write_word(report: Document) -> bytes:
    """Write a report as .docx."""
    import docx
    from docx.shared import Cm, Pt

    file = docx.Document()
    part = file.sections[0]
    part.page_width, part.page_height = Cm(21.0), Cm(29.7)
    part.left_margin = part.right_margin = Cm(MARGIN_CM)
    part.top_margin = part.bottom_margin = Cm(1.8)
    file.styles["Normal"].font.name = "Arial"
    file.styles["Normal"].font.size = Pt(10)
    for level, size in (("Title", 13), ("Heading 1", 13), ("Heading 2", 11)):
        style = file.styles[level]
        style.font.name, style.font.size, style.font.bold = "Arial", Pt(size), True
        style.paragraph_format.keep_with_next = True
        _plain_font(style)
    file.core_properties.title = _clean(report.title)
    file.core_properties.author = "Hinge"
    _number_pages(part)
    _opening(file, report)
    drawn = [any(isinstance(block, Picture) for block in own.blocks) for own in report.sections]
    for section, first in zip(report.sections, _begins(drawn), strict=True):
        heading = file.add_heading(_clean(section.title), level=1)
        # What stands above in short fills a page of its own, and the charts begin on the next.
        heading.paragraph_format.page_break_before = first
        for block, then in zip_longest(section.blocks, section.blocks[1:]):
            _add(file, block)
            if isinstance(then, Picture) and not isinstance(block, Picture):
                # A sentence about a chart stays on its page.
                file.paragraphs[-1].paragraph_format.keep_with_next = True
                file.paragraphs[-1].paragraph_format.keep_together = True
    _note(file, report.foot)
    buffer = io.BytesIO()
    file.save(buffer)
    return buffer.getvalue()


def _begins(flags: Sequence[bool]) -> list[bool]:
    """Mark the first of all that are true."""
    return [flag and not any(flags[:at]) for at, flag in enumerate(flags)]


def _opening(file: Any, report: Document) -> None:
    from docx.shared import Pt

    file.add_heading(_clean(report.title), level=0)
    badges = [*(f"Kind of panel: {kind}" for kind in report.kinds)]
    badges += [report.setting] if report.setting else []
    _note(file, " · ".join(badges))
    answer = file.add_paragraph().add_run(_clean(report.answer))
    answer.bold = True
    size = len(report.answer)
    answer.font.size = Pt(18 if size <= LONG else 13 if size <= LONGEST else 12)
    for text in report.lead:
        file.add_paragraph(_clean(text))
    for text in report.warnings:
        file.add_paragraph(_clean(f"Note: {text}"), style="Intense Quote")
    _facts(file, report.short)


def _add(file: Any, block: Block) -> None:
    match block:
        case Text():
            _note(file, block.text) if block.is_quiet else file.add_paragraph(_clean(block.text))
        case Points():
            for item in block.told:
                file.add_paragraph(_clean(item), style="List Bullet")
        case Grid():
            _grid(file, block)
        case Picture():
            _picture(file, block)
        case Shell():
            run = file.add_paragraph().add_run(_clean("\n".join(block.lines)))
            run.font.name = "Courier New"
        case Link():
            _link(file.add_paragraph(), block)
        case Heading():
            file.add_heading(_clean(block.text), level=2)
        case Facts():
            _facts(file, block)


def _facts(file: Any, block: Facts) -> None:
    from docx.shared import Cm, Pt

    for label, text in block.rows:
        paragraph = file.add_paragraph()
        paragraph.paragraph_format.left_indent = Cm(LABEL_CM)
        paragraph.paragraph_format.first_line_indent = Cm(-LABEL_CM)
        paragraph.paragraph_format.tab_stops.add_tab_stop(Cm(LABEL_CM))
        paragraph.paragraph_format.space_after = Pt(4)
        paragraph.add_run(_clean(label)).bold = True
        paragraph.add_run(_clean(f"\t{text}"))


def _note(file: Any, text: str) -> None:
    from docx.shared import Pt, RGBColor

    run = file.add_paragraph().add_run(_clean(text))
    run.font.size, run.font.color.rgb = Pt(8.5), RGBColor(0x56, 0x5D, 0x66)


def _picture(file: Any, block: Picture) -> None:
    from docx.shared import Cm

    chart = block.chart
    file.add_heading(_clean(chart.title), level=2)
    drawn = png(chart)
    inline = file.add_picture(io.BytesIO(drawn), width=Cm(min(width_cm(drawn), WIDTH_CM)))
    file.paragraphs[-1].paragraph_format.keep_with_next = bool(chart.reading)
    told = inline._inline.docPr
    told.set("descr", _clean(unmarked(chart.alt)))
    told.set("title", _clean(chart.title))
    _note(file, unmarked(chart.reading))


def _grid(file: Any, block: Grid) -> None:
    from docx.shared import Cm, Pt

    file.add_heading(_clean(block.title), level=2)
    table = file.add_table(rows=1, cols=len(block.head), style="Table Grid")
    table.autofit = False
    _narrow_margins(table)
    _repeat_head(table.rows[0])
    for cell, name in zip(table.rows[0].cells, block.head, strict=True):
        cell.text = _clean(name)
        cell.paragraphs[0].runs[0].bold = True
        _shade(cell, HEAD)
    for place, row in enumerate(block.rows):
        cells = table.add_row().cells
        for cell, value in zip(cells, row, strict=True):
            cell.text = _clean(value)
            if place in block.marked:
                _shade(cell, MARKED)
    widths = _widths(block)
    for column, width in zip(table.columns, widths, strict=True):
        column.width = Cm(width)
    for row in table.rows:
        _keep_together(row)
        for cell, width in zip(row.cells, widths, strict=True):
            cell.width = Cm(width)
            for paragraph in cell.paragraphs:
                paragraph.paragraph_format.space_before = Pt(1.5)
                paragraph.paragraph_format.space_after = Pt(1.5)
                for run in paragraph.runs:
                    run.font.size = Pt(7.5)
    marked = " Shaded: differs from the planned setting." if block.marked else ""
    _note(file, f"{block.note}{marked}")


def _widths(block: Grid) -> list[float]:
    """Share out the width of a page, in centimetres: more to columns with longer texts."""
    columns = [[name, *values] for name, *values in zip(block.head, *block.rows, strict=True)]
    wanted = [
        PADDING
        + max(
            min(max(len(text) for text in column), WIDEST) / 2,
            min(max(len(word) for text in column for word in text.split() or [""]), LETTERS),
        )
        for column in columns
    ]
    return [WIDTH_CM * part / sum(wanted) for part in wanted]


def _clean(text: str) -> str:
    return _UNPRINTABLE.sub("\N{REPLACEMENT CHARACTER}", text)


def _element(name: str, **values: str) -> Any:
    from docx.oxml import OxmlElement
    from docx.oxml.ns import qn

    element = OxmlElement(name)
    for key, value in values.items():
        element.set(qn(f"w:{key}"), value)
    return element


def _plain_font(style: Any) -> None:
    """Take the theme's own font and colour from a heading."""
    from docx.oxml.ns import qn
    from docx.shared import RGBColor

    style.font.color.rgb = RGBColor(0x1B, 0x1F, 0x24)
    fonts = style.element.rPr.rFonts
    for name in ("asciiTheme", "hAnsiTheme", "eastAsiaTheme", "cstheme"):
        fonts.attrib.pop(qn(f"w:{name}"), None)


def _number_pages(part: Any) -> None:
    """Write the number of each page and of all pages at its foot; the library has no call."""
    from docx.shared import Pt

    paragraph = part.footer.paragraphs[0]
    paragraph.style.font.size = Pt(8)
    for piece in ("Hinge report, page ", "PAGE", " of ", "NUMPAGES"):
        run = paragraph.add_run("" if piece.isupper() else piece)
        if not piece.isupper():
            continue
        for kind in ("begin", "", "end"):
            if kind:
                run._r.append(_element("w:fldChar", fldCharType=kind))
                continue
            field = _element("w:instrText")
            field.text = piece
            run._r.append(field)


def _shade(cell: Any, colour: str) -> None:
    shade = _element("w:shd", val="clear", color="auto", fill=colour)
    cell._tc.get_or_add_tcPr().append(shade)


def _narrow_margins(table: Any) -> None:
    """Leave a millimetre beside the texts of a table, half of the usual."""
    margins = _element("w:tblCellMar")
    for side in ("left", "right"):
        margins.append(_element(f"w:{side}", w="57", type="dxa"))
    table._tbl.tblPr.append(margins)


def _repeat_head(row: Any) -> None:
    row._tr.get_or_add_trPr().append(_element("w:tblHeader", val="true"))


def _keep_together(row: Any) -> None:
    row._tr.get_or_add_trPr().append(_element("w:cantSplit", val="true"))


def _link(paragraph: Any, block: Link) -> None:
    """Add a link that can be clicked; the library has no call for it."""
    from docx.opc.constants import RELATIONSHIP_TYPE
    from docx.oxml.ns import qn

    found = paragraph.part.relate_to(block.address, RELATIONSHIP_TYPE.HYPERLINK, is_external=True)
    link = _element("w:hyperlink")
    link.set(qn("r:id"), found)
    run = paragraph.add_run(_clean(block.label or block.address))
    run.font.underline = True
    link.append(run._r)
    paragraph._p.append(link)
