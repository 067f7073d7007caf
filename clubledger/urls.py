from django.urls import include, path

from clubledger.web.errors import healthz

handler500 = "clubledger.web.errors.answer_fault"
urlpatterns = [path("healthz", healthz, name="healthz"), path("", include("scoring.urls"))]
