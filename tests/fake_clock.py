"""Decides what day it is for a test, where that matters and whenever it is run."""

from __future__ import annotations

import datetime
import time

import pytest
from django.utils import timezone


def begin(patch: pytest.MonkeyPatch, day: datetime.date | str, at: str = "12:00+00:00") -> None:
    """It is noon of this day, or the hour that is said, and time goes on."""
    noon, begun = datetime.datetime.fromisoformat(f"{day}T{at}"), time.monotonic()

    def now(tz: datetime.tzinfo | None) -> datetime.datetime:
        return noon + datetime.timedelta(seconds=time.monotonic() - begun)

    # Below `timezone.now`, which is the default of many a field.
    patch.setattr(timezone, "datetime", type("Moved", (datetime.datetime,), {"now": staticmethod(now)}))
