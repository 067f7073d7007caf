"""How a file is handed out: to be kept, under a name that every system takes."""

from __future__ import annotations

from urllib.parse import quote

from django.http import HttpResponse
from django.utils.text import slugify

from scoring.core.text import file_name


def attachment(body: bytes, content_type: str, ending: str, *name: str) -> HttpResponse:
    """A download under a name of letters, digits and hyphens; in plain ASCII for whoever knows nothing else."""
    response = HttpResponse(body, content_type=content_type)
    words = " ".join(name)
    plain, full = file_name(words), quote(slugify(words, allow_unicode=True))
    response["Content-Disposition"] = f"attachment; filename=\"{plain}.{ending}\"; filename*=UTF-8''{full}.{ending}"
    return response
