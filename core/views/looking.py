"""View settings of a link, such as the model in focus, held against what is there to look at."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from core.choices import Repair, view_repair
from core.studies.about import Study


class Looking:
    """View settings that a link asks for. What a view looks at is checked as it is asked for."""

    def __init__(self, asked: Mapping[str, str]) -> None:
        """Take the settings as they stand in a link."""
        self._kept = {name: value for name, value in asked.items() if value}
        self._repairs: list[Repair] = []

    @property
    def kept(self) -> Mapping[str, str]:
        """Settings that are not known to be wrong."""
        return self._kept

    @property
    def repairs(self) -> tuple[Repair, ...]:
        """What of the settings is not there."""
        return tuple(self._repairs)

    def one_of(self, name: str, options: Sequence[str], default: str) -> str:
        """Return a setting that is one of some options; else the default, and note the repair."""
        value = self._kept.get(name, default)
        if value in options:
            return value
        if name in self._kept:
            del self._kept[name]
            self._repairs.append(view_repair(name, value, default))
        return default

    def check_parts(self, study: Study) -> None:
        """See that every part of the study's page that is to be open is there."""
        for name, parts in study.parts.items():
            self.one_of(name, parts, "")
