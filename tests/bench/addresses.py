"""The site's addresses and one more: a page of a club that is nothing but the base template, with one query beside who asks. The
others are measured against it."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.template import engines
from django.urls import include, path

from scoring.club.access import Role, get_club


def yardstick(request: HttpRequest, slug: str) -> HttpResponse:
    template = engines["django"].from_string(
        '{% extends "base.html" %}{% block content %}{{ access.club.name }}{% endblock %}'
    )
    return HttpResponse(template.render({"access": get_club(request, slug, Role.READER)}, request))


urlpatterns = [path("c/<slug:slug>/yardstick/", yardstick), path("", include("clubledger.urls"))]
