"""The link of a table: whoever holds it enters games there without an account. Its secret is made from the site's own key
and the row's nonce, so that what stands in the database, or in a copy of it, opens nothing."""

from __future__ import annotations

import base64
import uuid

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.crypto import constant_time_compare, salted_hmac

from scoring.play.models import Table


class TableLink(models.Model):
    """One link of one table. It stands until it is renewed or the evening closes; then the row stays, ended."""

    table = models.ForeignKey(Table, on_delete=models.PROTECT, related_name="links")
    nonce = models.UUIDField(default=uuid.uuid4, editable=False)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    ended_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["table"], condition=Q(ended_at=None), name="table_link_stands_once")
        ]

    def __str__(self) -> str:
        return f"{self.table_id}/{self.pk}"

    @property
    def token(self) -> str:
        """What the address of the link ends with: the row, and 128 bits nobody can guess."""
        digest = salted_hmac("scoring.TableLink", self.nonce.hex, algorithm="sha256").digest()
        return f"{self.pk}-{base64.urlsafe_b64encode(digest[:16]).decode().rstrip('=')}"

    def opens_with(self, token: str) -> bool:
        return constant_time_compare(self.token, token)
