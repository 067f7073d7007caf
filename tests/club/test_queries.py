"""The change stamp of a club."""

from __future__ import annotations

import pytest

from scoring.club.actions import Actor, record
from scoring.club.queries import get_change_stamp
from scoring.models import Change, Verb
from tests.factories import Cast

pytestmark = pytest.mark.django_db


def change(cast: Cast) -> Change:
    record(club=cast.club, actor=Actor(), verb=Verb.CLUB_SHOWN, subject=cast.club.pk)
    return Change.objects.latest("pk")


def test_the_stamp_changes_with_every_action(cast: Cast) -> None:
    seen = {get_change_stamp(cast.club.pk)}
    for _ in range(120):
        change(cast)
        seen.add(get_change_stamp(cast.club.pk))
    assert len(seen) == 121


def test_the_stamp_changes_when_a_lower_id_is_committed_later(cast: Cast) -> None:
    earlier, later = change(cast), change(cast)
    Change.objects.filter(pk=earlier.pk).delete()
    seen = get_change_stamp(cast.club.pk)
    earlier.save()
    assert Change.objects.latest("pk") == later
    assert get_change_stamp(cast.club.pk) != seen
