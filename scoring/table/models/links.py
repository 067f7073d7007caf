"""The link of a table: whoever holds it enters games there without an account."""

from __future__ import annotations

from django.db import models
from django.db.models import Q

from scoring.core.links import SecretLink
from scoring.play.models import Table


class TableLink(SecretLink):
    """One link of one table. It stands until it is renewed or the evening closes; then the row stays, ended."""

    salt = "scoring.TableLink"

    table = models.ForeignKey(Table, on_delete=models.PROTECT, related_name="links")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["table"], condition=Q(ended_at=None), name="table_link_stands_once")
        ]

    def __str__(self) -> str:
        return f"{self.table_id}/{self.pk}"
