"""A "cite this view" link taken apart: study, panel and choices."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from ipaddress import ip_address
from urllib.parse import parse_qs, urlencode, urlsplit

from core.choices import Choices, Repair
from core.stories import PATH as STORIES
from core.studies.about import STUDIES, Study
from core.views.every import STUDIES as TOLD

HOME = "http://127.0.0.1:8501"
"""Where ``make app`` starts the app: stands in for a link without a machine."""

PANEL_DIGITS = 12

MACHINE = re.compile(r"[\w.\-:\[\]]*")
"""Letters, digits and signs of a machine's name or address, and its port."""


class LinkError(ValueError):
    """A link that names no view; says what was found, what was expected, and what to do."""


@dataclass(frozen=True, slots=True)
class Cited:
    """What a link asks for."""

    study: Study
    panel: str
    """First digits of the panel's checksum; empty for the one its page opens on."""
    choices: Choices
    looking: Mapping[str, str]
    repairs: tuple[Repair, ...]
    home: str
    """The machine, such as http://127.0.0.1:8501."""


def address(
    home: str, study: Study, choices: Choices, panel: str, looking: Mapping[str, str]
) -> str:
    """Write the link of a view.

    Parameters
    ----------
    home
        The machine it is opened on.
    study, choices, panel
        Whose page, every choice, and the first digits of the panel's checksum.
    looking
        View settings; empty ones are left out.
    """
    query = TOLD[study.name].declaration.to_link(choices, panel=panel)
    query |= {name: value for name, value in looking.items() if value}
    return f"{home}/{study.path}?{urlencode(query)}"


def read(link: str) -> Cited:
    """Take a link apart.

    Parameters
    ----------
    link
        As "Cite this view" gives it; the machine may be left out.

    Raises
    ------
    LinkError
        If it is no address, or that of no study's page, or its panel is no checksum.
    """
    host, page, query = parts(link)
    study = _study_at(page)
    declaration = TOLD[study.name].declaration
    choices, repairs = declaration.from_link(query)
    repairs += declaration.unknown(query, study.views)
    looking = {name: query[name][-1] for name in study.views if name in query}
    return Cited(study, _panel_in(query.get("panel", [""])[-1]), choices, looking, repairs, host)


def parts(link: str) -> tuple[str, str, dict[str, list[str]]]:
    """Split a link into its machine, its page, and the values of each parameter.

    Raises
    ------
    LinkError
        If it is no address.
    """
    try:
        link.encode()
        found = urlsplit(link.strip())
        # Who opens a link is nobody's business but their browser's: a name and password stay out.
        machine = found.netloc.rpartition("@")[2]
        host = f"{found.scheme}://{machine}" if machine else HOME
        query = parse_qs(found.query, keep_blank_values=True, max_num_fields=200)
    except ValueError as error:
        raise LinkError(f"The link cannot be read ({error}). Copy it again.") from error
    if found.netloc and found.scheme not in ("http", "https"):
        raise LinkError(
            f"The link starts with {found.scheme[:40]!r}; expected http or https. Copy it again."
        )
    if not MACHINE.fullmatch(machine):
        raise LinkError(f"The link leads to the machine {machine[:60]!r}, which is no name of one.")
    return host, found.path.strip("/").rsplit("/", 1)[-1], query


def is_loopback(link: str) -> bool:
    """Say whether an address works only on the machine on which the app runs."""
    host = urlsplit(link).hostname or ""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")


def _study_at(name: str) -> Study:
    found = next((study for study in STUDIES if study.path == name), None)
    if found is None:
        pages = ", ".join(f"/{path}" for path in (*(study.path for study in STUDIES), STORIES))
        shown = f"/{name[:80]}" if name else "no page"
        raise LinkError(
            f"The link leads to {shown!r}, which has no report; expected one of {pages}. Copy the "
            "link from “Cite this view” on a study's page, or “Cite this step” of a story."
        )
    return found


def _panel_in(text: str) -> str:
    if text and (len(text) < PANEL_DIGITS or not set(text) <= set("0123456789abcdef")):
        raise LinkError(
            f"The link names the panel {text[:40]!r}; expected the first {PANEL_DIGITS} digits of "
            "its checksum (0-9, a-f). Copy the whole link again."
        )
    return text[:PANEL_DIGITS]
