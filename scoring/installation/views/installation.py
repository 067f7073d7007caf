"""The page of whoever runs the installation: its clubs in numbers, its logins, its size."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from scoring.club.access import require_operator
from scoring.installation.queries import read_installation, sized_clubs


@require_safe
def installation(request: HttpRequest) -> HttpResponse:
    require_operator(request)
    context = {"clubs": sized_clubs(), "installation": read_installation()}
    return render(request, "scoring/installation/installation.html", context)
