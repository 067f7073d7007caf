"""How a page is answered that could not be done now, for no fault of whoever asked."""

from __future__ import annotations

from django.http import HttpResponse

from scoring.club.errors import TooManyPasswords


def come_again(page: HttpResponse, refused: TooManyPasswords | type[TooManyPasswords]) -> HttpResponse:
    """The page with what was typed, as 503 that says when to come again."""
    page.status_code = refused.status
    page.headers["Retry-After"] = str(refused.come_again)
    return page
