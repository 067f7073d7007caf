"""Imported files, one row for each.
Until a file is taken in, its row stores what was read from it, for the preview. Afterwards it stores what was made of it, so that
all of it can be undone in one step."""

from __future__ import annotations

import datetime
from typing import Final

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from scoring.club.models import Club
from scoring.core.database import max_length_constraint
from scoring.core.formats import format_day
from scoring.core.text import validate_plain


class Import(models.Model):
    """An imported file.
    `sheets` is what was read from it, only until it is taken in; `digest` identifies the same file. `report` says what was taken in
    and what was odd, `made` lists the ids of new players and rule sets: ids and numbers, never names."""

    class Kind(models.TextChoices):
        EVENINGS = "evenings", _("Ewige Liste nach Abenden")
        GAMES = "games", _("Zettel mit einer Zeile je Spiel")
        PAID = "paid", _("Kasse nach Abenden")
        MOVED = "moved", _("Einnahmen und Ausgaben der Kasse")
        OPENED = "opened", _("Anfangsbestände der Kasse")
        SUMS = "sums", _("Anfangsstand")

    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="imports")
    kind = models.CharField(max_length=10, choices=Kind.choices)
    file_name = models.CharField(_("Datei"), max_length=100, validators=[validate_plain])
    digest = models.CharField(max_length=64, blank=True)
    sheets = models.JSONField(null=True, blank=True)
    uploaded_at = models.DateTimeField(default=timezone.now, editable=False)
    imported_at = models.DateTimeField(null=True, blank=True)
    imported_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True)
    report = models.JSONField(default=dict, blank=True)
    made = models.JSONField(default=dict, blank=True)
    undone_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(kind__in=["evenings", "games", "paid", "moved", "opened", "sums"]), name="import_kind_known"
            ),
            max_length_constraint("file_name", 100, "import_file_name_length"),
            max_length_constraint("digest", 64, "import_digest_length"),
            models.CheckConstraint(
                condition=Q(imported_at=None, undone_at=None) | Q(imported_at__isnull=False, sheets__isnull=True),
                name="import_read_until_taken",
            ),
        ]

    @property
    def title(self) -> str:
        """The name of the file, or the day of an opening standing that was typed."""
        if self.kind == self.Kind.SUMS and self.file_name == self.report.get("until"):
            return gettext("Anfangsstand vom %(day)s") % {"day": format_day(datetime.date.fromisoformat(self.file_name))}
        return self.file_name

    def __str__(self) -> str:
        return f"{self.kind} {self.file_name}"

    @property
    def is_taken(self) -> bool:
        return self.imported_at is not None


# The kinds that are booked in the Kasse, by the treasurer.
KASSE_KINDS: Final = (Import.Kind.PAID, Import.Kind.MOVED, Import.Kind.OPENED)
