"""Links to tables, and late entries: sent after the evening was closed or the link had ended."""

from __future__ import annotations

import uuid
from collections.abc import Mapping

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone

from scoring.club.models import Player
from scoring.core.database import max_length_constraint
from scoring.core.links import SecretLink
from scoring.core.text import validate_plain
from scoring.play.models import SEATS, Game, Round, Table
from scoring.rules.validation import Refused


class LateEntry(models.Model):
    """A line as it was typed, with the seats of `round`, behind the line with the key `after`. When accepted, it becomes a game
    with the same key; when `discarded`, the row stays, so that a repeated request gets the same answer."""

    key = models.UUIDField(primary_key=True, default=uuid.uuid4)
    table = models.ForeignKey(Table, on_delete=models.PROTECT, related_name="late_entries")
    round = models.ForeignKey(Round, on_delete=models.PROTECT, related_name="late_entries")
    after = models.UUIDField(null=True, blank=True)
    form = models.CharField(max_length=10, choices=Game.Form.choices)
    dealer = models.PositiveSmallIntegerField(null=True, blank=True)
    facts = models.JSONField(default=dict, blank=True)
    note = models.CharField(max_length=200, blank=True, validators=[validate_plain])
    entered_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True)
    spoken_as = models.ForeignKey(Player, on_delete=models.SET_NULL, null=True, blank=True, related_name="+")
    # The id of the link that sent it; the number of entries per link is limited.
    by_link = models.PositiveBigIntegerField(null=True, blank=True)
    arrived_at = models.DateTimeField(default=timezone.now, editable=False)
    discarded = models.BooleanField(default=False)
    # Set by `actions.late.list_waiting_entries`: the points that it would bring by player, the refusal of the rules, and whether it
    # would be the last line of the sheet.
    points: Mapping[int, int]
    refused: Refused | None
    is_last: bool

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(dealer=None) | Q(dealer__lt=SEATS[-1]), name="late_entry_dealer_known"),
            models.CheckConstraint(condition=Q(form__in=Game.Form.values), name="late_entry_form_known"),
            max_length_constraint("note", 200, "late_entry_note_length"),
        ]

    def __str__(self) -> str:
        return str(self.key)


class TableLink(SecretLink):
    """A link that opens one table without an account. When it is renewed or the evening closes, it ends and its row stays."""

    salt = "scoring.TableLink"

    table = models.ForeignKey(Table, on_delete=models.PROTECT, related_name="links")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["table"], condition=Q(ended_at=None), name="table_link_stands_once")]

    def __str__(self) -> str:
        return f"{self.table_id}/{self.pk}"
