"""Decides which addresses belong to the site itself; all others belong to the game."""

from django.urls import include, path

from clubledger.web.health import healthz

urlpatterns = [
    path("healthz", healthz, name="healthz"),
    path("", include("scoring.urls")),
]
