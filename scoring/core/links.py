"""Secret links, which permit something without a login. Computed from the key of the site: a copy of the database opens none."""

from __future__ import annotations

import base64
import uuid
from typing import ClassVar, Final
from urllib.parse import urlsplit

import segno
from django.conf import settings
from django.db import models
from django.http import HttpRequest
from django.utils.crypto import constant_time_compare, salted_hmac

from .text import parse_whole

LOOPBACK: Final = ("localhost", "127.0.0.1", "::1")  # hosts that only the machine itself can reach


class SecretLink(models.Model):
    """A secret link. Its row stays when it has ended. Its `salt` must never change: all links in use would stop working."""

    salt: ClassVar[str]

    nonce = models.UUIDField(default=uuid.uuid4, editable=False)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    ended_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        abstract = True

    @property
    def token(self) -> str:
        """The end of the address: the id of the row and a secret of 128 bits."""
        digest = salted_hmac(self.salt, self.nonce.hex, algorithm="sha256").digest()
        return f"{self.pk}-{base64.urlsafe_b64encode(digest[:16]).decode().rstrip('=')}"

    def opens_with(self, token: str) -> bool:
        return constant_time_compare(self.token, token)


def parse_link_id(token: str) -> int:
    """Return the id of the row in a token, 0 if there is none."""
    return parse_whole(token.partition("-")[0]) or 0


def build_link_context(request: HttpRequest, path: str) -> dict[str, object]:
    """Return the context of `scoring/_link.html`: the address, its QR code, and whether only this machine can open it."""
    address = request.build_absolute_uri(path)
    code = segno.make(address, micro=False, error="m").svg_data_uri(scale=8, border=4, light="#fff")
    return {"address": address, "code": code, "only_here": urlsplit(address).hostname in LOOPBACK}
