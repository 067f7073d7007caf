"""Decides how a WSGI server gets the application: never with settings that are not safe, nor on the database of a newer program."""

import os

from django.core.wsgi import get_wsgi_application
from django.db import connection

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "clubledger.settings")
application = get_wsgi_application()

from clubledger.checks import refuse_newer, refuse_unsafe  # noqa: E402  needs the settings to be there

refuse_unsafe()
refuse_newer()
connection.close()  # processes may be forked from this one
