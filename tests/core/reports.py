"""Reports read back: HTML as a tree of elements, Word as its parts."""

from __future__ import annotations

import io
from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Any

import docx

VOID = {"meta", "br", "img", "hr", "link", "input"}


@dataclass
class Element:
    """An element with its attributes, its own text, and the elements within."""

    tag: str
    attributes: dict[str, str]
    text: list[str] = field(default_factory=list)
    children: list[Element] = field(default_factory=list)

    def all(self, tag: str = "") -> list[Element]:
        """List this element and those within it."""
        found = [self] if tag in ("", self.tag) else []
        return found + [e for child in self.children for e in child.all(tag)]

    def said(self) -> str:
        """All text in it, in order, with blanks tidied."""
        return " ".join(" ".join(self.pieces()).split())

    def pieces(self) -> list[str]:
        return [*self.text, *(piece for child in self.children for piece in child.pieces())]


class _Reader(HTMLParser):
    """Builds the tree, and refuses what does not close."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.root = Element("", {})
        self.open = [self.root]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        element = Element(tag, {name: value or "" for name, value in attrs})
        self.open[-1].children.append(element)
        if tag not in VOID:
            self.open.append(element)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        element = Element(tag, {name: value or "" for name, value in attrs})
        self.open[-1].children.append(element)

    def handle_endtag(self, tag: str) -> None:
        assert self.open[-1].tag == tag, f"</{tag}> closes <{self.open[-1].tag}>"
        self.open.pop()

    def handle_data(self, data: str) -> None:
        child = Element("", {}, [data])
        self.open[-1].children.append(child)


def read_html(content: bytes) -> Element:
    """Parse a whole file; every element must close where it should."""
    reader = _Reader()
    reader.feed(content.decode("utf-8"))
    reader.close()
    assert len(reader.open) == 1, [element.tag for element in reader.open]
    return reader.root


def table(root: Element, title: str) -> list[list[str]]:
    """Read the table under a heading, its head first."""
    found = next(
        e for e in root.all("div") if e.attributes.get("aria-label") == title and e.all("table")
    )
    return [
        [cell.said() for cell in row.children if cell.tag in ("th", "td")]
        for row in found.all("tr")
    ]


def addresses(root: Element) -> list[str]:
    """List what the file links to or would load."""
    names = ("href", "src", "xlink:href", "srcset", "data", "action", "poster")
    return [
        value
        for element in root.all()
        for name, value in element.attributes.items()
        if name in names
    ]


def read_word(content: bytes) -> Any:
    return docx.Document(io.BytesIO(content))


def word_tables(file: Any) -> list[list[list[str]]]:
    return [[[cell.text for cell in row.cells] for row in own.rows] for own in file.tables]


def word_text(file: Any) -> str:
    return "\n".join(paragraph.text for paragraph in file.paragraphs)
