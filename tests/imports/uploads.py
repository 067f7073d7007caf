"""The desk of an admin who brings files along: uploading, looking, taking in, taking back, and what is in the database then."""

from __future__ import annotations

from io import StringIO
from typing import Any

from django.apps import apps
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command
from django.http import HttpResponse
from django.test import Client

from scoring.models import Change, Club, Import


class Desk:
    """An admin of the club at work."""

    def __init__(self, club: Club, user: User) -> None:
        self.club, self.user, self.client = club, user, Client()
        self.client.force_login(user)

    def upload(self, data: bytes | str, name: str = "liste.csv") -> HttpResponse:
        body = data.encode() if isinstance(data, str) else data
        return self.client.post(f"/c/{self.club.slug}/imports/", {"file": SimpleUploadedFile(name, body)})

    def bring(self, data: bytes | str, name: str = "liste.csv") -> str:
        """Upload what can be read; the address of its preview."""
        response = self.upload(data, name)
        assert response.status_code == 302, response.content.decode()
        return response["Location"]

    def look(self, address: str, **said: Any) -> HttpResponse:
        """The preview, with what was said posted where anything was."""
        if not said:
            return self.client.get(address)
        form = self.client.get(address).context["form"]
        return self.client.post(address, {**form.data, **said})

    def take(self, address: str, **said: Any) -> HttpResponse:
        """Look at the preview, then take in what was seen."""
        return self.take_seen(address, self.look(address, **said))

    def take_seen(self, address: str, preview: HttpResponse) -> HttpResponse:
        """Take in what this preview has shown."""
        form = preview.context["form"]
        seen = {"seen": form.fingerprint} if form.is_valid() else {}
        return self.client.post(address, {**form.data, **seen, "take": "1"})

    def bring_and_take(self, data: bytes | str, name: str = "liste.csv", **said: Any) -> Import:
        response = self.take(self.bring(data, name), **said)
        assert response.status_code == 302, response.content.decode()
        return Import.objects.filter(imported_at__isnull=False).latest("imported_at")

    def undo(self, brought: Import) -> None:
        self.client.post(f"/c/{self.club.slug}/imports/{brought.pk}/undo/")


def everything() -> dict[str, list[Any]]:
    """Every row of every table but what says that something was looked at or done."""
    models = [model for model in apps.get_app_config("scoring").get_models() if model not in (Change, Import)]
    return {model.__name__: sorted(model.objects.values_list(), key=str) for model in models}


def verified() -> str:
    out = StringIO()
    call_command("verify", stdout=out)
    return out.getvalue()
