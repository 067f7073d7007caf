"""The URLs of the site; all except /healthz are in `scoring.urls`."""

from django.urls import include, path

from clubledger.web.health import healthz

handler500 = "clubledger.web.faults.answer_fault"
urlpatterns = [
    path("healthz", healthz, name="healthz"),
    path("", include("scoring.urls")),
]
