from django.urls import include, path

from clubledger.web.faults import healthz

handler500 = "clubledger.web.faults.answer_fault"
urlpatterns = [path("healthz", healthz, name="healthz"), path("", include("scoring.urls"))]
