"""Decides how a WSGI server gets the application: never with settings that are not safe, and with a fair share of its process
for every request."""

import os
import sys

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "clubledger.settings")
application = get_wsgi_application()

from clubledger.checks import refuse_unsafe  # noqa: E402  needs the settings to be there

refuse_unsafe()

# Whoever saves a game asks the database a dozen times, and after each answer waits for its turn with the interpreter. Beside
# somebody who makes a long file that turn would come after 5 ms each time; these are a tenth of it.
sys.setswitchinterval(0.0005)
