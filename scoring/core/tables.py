"""Columns that tables of several topics have."""

from __future__ import annotations

from typing import Any

import django_tables2 as tables


def classes_of(value: str) -> str:
    """Return the classes of the cell of a figure, which has its colour below zero."""
    return "num minus" if value.startswith("−") else "num"


class NumberColumn(tables.Column):
    """A column of numbers: to the right, and the highest first at the first click."""

    def __init__(self, header: Any, **kwargs: Any) -> None:
        attrs = {"th": {"class": "num"}, "td": {"class": classes_of}}
        super().__init__(header, **{"attrs": attrs, "initial_sort_descending": True, **kwargs})
