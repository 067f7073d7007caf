"""The page that says how everything goes. It names no club and is open to everybody. Its text is one template for each
language; names of buttons in it come from the catalog, so they are those of the pages."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import get_language
from django.views.decorators.http import require_safe


@require_safe
def guide(request: HttpRequest) -> HttpResponse:
    language = get_language()
    return render(request, "scoring/help/guide.html", {"language": language, "text": f"scoring/help/{language}.html"})
