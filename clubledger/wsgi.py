"""The WSGI application of runserver. It refuses unsafe settings and the database of a newer version of the program."""

import os

from django.core.wsgi import get_wsgi_application
from django.db import connection

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "clubledger.settings")
application = get_wsgi_application()

from clubledger.checks import refuse_newer, refuse_unsafe  # noqa: E402  needs the settings

refuse_unsafe()
refuse_newer()
connection.close()  # forked processes must not share a connection
