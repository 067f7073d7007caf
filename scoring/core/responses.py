from __future__ import annotations

from typing import Final
from urllib.parse import quote

from django.http import HttpResponse
from django.utils.text import slugify

from .text import build_file_name

CONTENT_TYPES: Final = {
    "csv": "text/csv; charset=utf-8",
    "json": "application/json",
    "txt": "text/plain; charset=utf-8",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "zip": "application/zip",
}


def attachment(body: bytes, ending: str, *name: str) -> HttpResponse:
    """Return a file to download, with a name in ASCII too for browsers that do not know `filename*`."""
    response = HttpResponse(body, content_type=CONTENT_TYPES[ending])
    words = " ".join(name)
    ascii_name, full_name = build_file_name(words), quote(slugify(words, allow_unicode=True))
    response["Content-Disposition"] = f"attachment; filename=\"{ascii_name}.{ending}\"; filename*=UTF-8''{full_name}.{ending}"
    return response


def retry_later(response: HttpResponse, seconds: int) -> HttpResponse:
    response.status_code = 503
    response.headers["Retry-After"] = str(seconds)
    return response
