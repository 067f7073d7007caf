"""Columns that tables of several topics have."""

from __future__ import annotations

from typing import Any

import django_tables2 as tables


class NumberColumn(tables.Column):
    """A column of numbers: to the right, and the highest first at the first click."""

    def __init__(self, header: Any, **kwargs: Any) -> None:
        super().__init__(header, **{"attrs": {"th": {"class": "num"}}, "initial_sort_descending": True, **kwargs})
