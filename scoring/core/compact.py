"""JSON as it goes to a phone: letters as they are and nothing between values, which is 1 % of the page of a table."""

from __future__ import annotations

from typing import Any

from django.core.serializers.json import DjangoJSONEncoder


class Compact(DjangoJSONEncoder):
    def __init__(self, **options: Any) -> None:
        super().__init__(**options | {"ensure_ascii": False, "separators": (",", ":")})
