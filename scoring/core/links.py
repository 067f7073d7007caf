"""Links that are keys: whoever holds one may do something without further rights. The secret of a link is computed from the
site's own key and the nonce of the row. So a copy of the database opens nothing, and the link can be shown again, as an
address and as a QR code."""

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

# Under these names a machine knows only itself.
LOOPBACK: Final = ("localhost", "127.0.0.1", "::1")


class SecretLink(models.Model):
    """One link. Its row stays when it has ended. `salt` tells the secrets of one kind of link from those of another; it never
    changes, or all links that were handed out would end."""

    salt: ClassVar[str]

    nonce = models.UUIDField(default=uuid.uuid4, editable=False)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    ended_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        abstract = True

    @property
    def token(self) -> str:
        """What the address of the link ends with: the row, and 128 bits nobody can guess."""
        digest = salted_hmac(self.salt, self.nonce.hex, algorithm="sha256").digest()
        return f"{self.pk}-{base64.urlsafe_b64encode(digest[:16]).decode().rstrip('=')}"

    def opens_with(self, token: str) -> bool:
        return constant_time_compare(self.token, token)


def parse_link_id(token: str) -> int:
    """The id of the row that a token names, 0 where it names none."""
    return parse_whole(token.partition("-")[0]) or 0


def build_link_context(request: HttpRequest, path: str) -> dict[str, object]:
    """What `scoring/_link.html` shows of a link: its whole address, its QR code as an image, and whether it leads nowhere
    but to this machine."""
    address = request.build_absolute_uri(path)
    code = segno.make(address, micro=False, error="m").svg_data_uri(scale=8, border=4, light="#fff")
    return {"address": address, "code": code, "only_here": urlsplit(address).hostname in LOOPBACK}
