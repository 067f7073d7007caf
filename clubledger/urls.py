"""Decides which addresses belong to the site itself; all others belong to the game."""

from django.conf import settings
from django.urls import include, path

from clubledger.web.health import healthz

handler500 = "clubledger.web.faults.answer_fault"
urlpatterns = [
    path("healthz", healthz, name="healthz"),
    path("", include("scoring.urls")),
]
if settings.ADMIN:
    from scoring.admin import site

    urlpatterns.append(path("admin/", site.urls))
