"""Which sheets of a file are read together, and in which shape. By default these are all sheets that are lists and were not
taken in before, each in the shape that it looks like."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import cached_property
from typing import Final

from django.utils.translation import gettext as _

from scoring.imports.reading.files import FileRefused, FileSheet
from scoring.imports.reading.outline import Outline, PersonColumn, Remark
from scoring.imports.reading.shapes import AS_IS, LONG, TURNED
from scoring.imports.reading.sheets import alike, joined, understood, why_none

SHAPES: Final = (AS_IS, TURNED, LONG)


def sheet_field(index: int) -> str:
    return f"sheet_{index}"


class Layout:
    """The sheets of a file as they were chosen. `shape` is the one that was said, empty where each sheet is read as it looks;
    `faults` are the sentences for fields, `taken` the sheets that were taken in before, `known` the keys of the names of the
    club. Raises FileRefused where no sheet is a list."""

    def __init__(
        self, sheets: Sequence[FileSheet], posted: Mapping[str, str], taken: Collection[int], known: Collection[str]
    ) -> None:
        self._sheets, self._taken, self._known = sheets, taken, known
        self.faults: dict[str, str] = {}
        self._found = understood(sheets, known=known)
        self._before = self._key_of(posted.get("of_sheet", ""))
        self.shape = self._said_shape(posted.get("shape", ""))
        if self.shape:
            try:
                self._found = understood(sheets, self.shape, known)
            except FileRefused as refused:
                self.faults["shape"], self.shape = str(refused), ""
        self.chosen = self._chosen(posted)

    def _said_shape(self, said: str) -> str:
        """A shape that is not what the sheets look like, or was said before."""
        looks = next(iter(self._found.values())).shape
        return said if said in SHAPES and (said != looks or self._before[1]) else ""

    def _chosen(self, posted: Mapping[str, str]) -> list[int]:
        together = alike(self._sheets, self._found)
        proposed = [index for index in together if index not in self._taken] or together
        if "of_sheet" not in posted or len(self._found) == 1:
            return proposed
        chosen = [index for index in self._found if sheet_field(index) in posted]
        if not chosen:
            self.faults[sheet_field(proposed[0])] = _("Bitte mindestens ein Blatt wählen.")
        return chosen or proposed

    @staticmethod
    def _key_of(key: str) -> tuple[list[int], str]:
        chosen, _between, shape = key.partition("|")
        return [int(index[:4]) for index in chosen.split(".") if index.isdecimal()], shape if shape in SHAPES else ""

    @property
    def key(self) -> str:
        """Tells this arrangement from every other."""
        return f"{'.'.join(map(str, self.chosen))}|{self.shape}"

    @cached_property
    def outline(self) -> Outline:
        return joined(self._sheets, {index: self._found[index] for index in self.chosen})

    def columns_before(self) -> Sequence[PersonColumn]:
        """The columns of the arrangement that was shown before."""
        chosen, shape = self._before
        try:
            found = understood(self._sheets, shape, self._known)
        except FileRefused:
            return []
        outlines = {index: found[index] for index in chosen if index in found}
        return joined(self._sheets, outlines).columns if outlines else []

    def proposed(self) -> dict[str, str]:
        return {
            "of_sheet": self.key,
            "shape": self.shape or self.outline.shape,
            **{sheet_field(index): "on" for index in self.chosen if len(self._found) > 1},
        }

    def labels(self) -> dict[int, str]:
        """What each sheet is called that can be chosen, by its index, where there are several."""
        if len(self._found) == 1:
            return {}
        plain, taken, hidden = "%(sheet)s", _("%(sheet)s (schon übernommen)"), _("%(sheet)s (ausgeblendet)")
        return {
            index: (taken if index in self._taken else hidden if self._sheets[index].hidden else plain)
            % {"sheet": self._sheets[index].name}
            for index in self._found
        }

    def hidden(self) -> list[tuple[str, str]]:
        """The hidden sheets that could belong to the list and are not chosen, each with its field."""
        return [
            (sheet_field(index), self._sheets[index].name)
            for index in self._found
            if self._sheets[index].hidden and index not in self.chosen and index not in self._taken
        ]

    def left_out(self) -> list[Remark]:
        """The sheets that are no lists, with why, and those that are not chosen."""
        place = _("Blatt „%(sheet)s“")
        return [
            Remark(
                0,
                _("ist ausgeblendet") if sheet.hidden else why_none(sheet, self.shape, self._known),
                place % {"sheet": sheet.name},
            )
            for index, sheet in enumerate(self._sheets)
            if index not in self._found
        ] + [
            Remark(
                0,
                _("ist ausgeblendet") if self._sheets[index].hidden else _("ist nicht angekreuzt"),
                place % {"sheet": self._sheets[index].name},
            )
            for index in self._found
            if index not in self.chosen and index not in self._taken
        ]
