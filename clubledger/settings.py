"""Django settings. The defaults are safe; environment variables (docs/server.md) override them, checks.py refuses unsafe ones."""

import os
import re
from datetime import timedelta
from pathlib import Path

import environ
from csp.constants import NONE, SELF
from django.contrib.messages import constants as messages
from django.core.exceptions import ImproperlyConfigured
from django.utils.functional import lazy
from django.utils.translation import gettext_lazy as _
from platformdirs import user_data_path

from clubledger import SAFE_WAL, gettext, use_newest_sqlite
from clubledger.private import keep_private, read_or_create_key
from clubledger.version import program
from clubledger.web.addresses import LOOPBACK, is_loopback, own_hosts

BASE_DIR = Path(__file__).resolve().parent.parent
PROGRAM = lazy(program, str)()  # written into archives of clubs
env = environ.Env()
# The folder for the installation's data: database, key, static files. Without manage.py, the program was installed from a wheel.
DEFAULT_VAR = BASE_DIR / "var" if (BASE_DIR / "manage.py").exists() else user_data_path("clubledger", appauthor=False)
VAR = Path(env.str("VAR_DIR", default="") or DEFAULT_VAR)
keep_private(VAR, own=VAR == DEFAULT_VAR)
BACKUP_DIR = Path(env.str("BACKUP_DIR", default=str(VAR / "backups")))


def whole_number(name: str, default: int) -> int:
    """Return the whole number (from 0) in this environment variable, or the default if it is missing or empty. Raise
    ImproperlyConfigured."""
    value = env.str(name, default="") or str(default)
    if not (value.isascii() and value.isdigit()):
        raise ImproperlyConfigured(gettext("%s muss eine ganze Zahl ab 0 sein, nicht %r.") % (name, value))
    return int(value)


# --- Safety ---------------------------------------------------------------------------------------------------------

DEBUG = env.bool("DEBUG", default=False)
SECRET_KEY = env.str("SECRET_KEY", default="") or read_or_create_key(VAR / "secret_key")

# The site answers only requests for these hosts. Loopback is always among them, so that /healthz can be checked on the server.
hosts = env.list("ALLOWED_HOSTS", default=list(LOOPBACK) if DEBUG else own_hosts())
ALLOWED_HOSTS = list(dict.fromkeys([*LOOPBACK, *hosts]))
CSRF_TRUSTED_ORIGINS = env.list("CSRF_TRUSTED_ORIGINS", default=[])

# A server on the internet sets HTTPS=1, and TRUSTED_PROXIES=1 if one proxy of its own is in front of it. That proxy must set
# X-Forwarded-Proto and X-Forwarded-For itself, and never pass on those of the client.
HTTPS = env.bool("HTTPS", default=False)
TRUSTED_PROXIES = whole_number("TRUSTED_PROXIES", default=0)
if TRUSTED_PROXIES:
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
SECURE_SSL_REDIRECT = HTTPS
SECURE_REDIRECT_EXEMPT = [r"^healthz$"]
SECURE_HSTS_SECONDS = int(timedelta(days=365).total_seconds()) if HTTPS else 0
SESSION_COOKIE_SECURE = HTTPS
CSRF_COOKIE_SECURE = HTTPS
SESSION_COOKIE_AGE = int(timedelta(weeks=4).total_seconds())
CSRF_FAILURE_VIEW = "clubledger.web.errors.answer_stale_form"

SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W021"]  # HSTS for subdomains and preload lists affects more than this site

CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [SELF],
        "img-src": [SELF, "data:"],
        "object-src": [NONE],
        "base-uri": [NONE],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
    },
}
PERMISSIONS_POLICY = dict.fromkeys(("camera", "geolocation", "microphone", "payment", "usb"), "()")

FILE_UPLOAD_MAX_MEMORY_SIZE = 16_000_000  # uploads are never written to disk; server/bounds.py refuses larger bodies
FILE_UPLOAD_HANDLERS = ["django.core.files.uploadhandler.MemoryFileUploadHandler"]

# --- Logins ---------------------------------------------------------------------------------------------------------

LOGIN_URL = "login"
LOGIN_REDIRECT_URL = "/"
LOGOUT_REDIRECT_URL = "login"
AUTHENTICATION_BACKENDS = ["axes.backends.AxesStandaloneBackend", "django.contrib.auth.backends.ModelBackend"]
PASSWORD_HASHERS = ["scoring.accounts.passwords.Hasher"]  # limits how many passwords are hashed at once
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator", "OPTIONS": {"min_length": 10}},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
    {"NAME": "scoring.accounts.passwords.GuessableValidator"},
]
SESSION_ENGINE = "scoring.accounts.models"  # its rows name the login, so that users can list and end their sessions
DEMO = env.bool("DEMO", default=True)  # whether the first start creates the demo club
FOUNDING = env.str("FOUNDING", default="") or "link"  # who founds clubs: the holder of a link of the operator, or every visitor
if FOUNDING not in ("link", "open"):
    raise ImproperlyConfigured(gettext("FOUNDING muss link oder open sein, nicht %r.") % FOUNDING)
LOGINS_WITHOUT_CLUB_DAYS = whole_number("LOGINS_WITHOUT_CLUB_DAYS", default=90)  # then a login without a club is deleted

PASSWORD_RESET_TIMEOUT = int(timedelta(days=1).total_seconds())  # how long a link to set a new password is valid

# All members in one pub share an IP address. So a few failures lock only one name at this address, and many lock the address
# (web/throttle.py).
AXES_HANDLER = "clubledger.web.throttle.Handler"
AXES_LOCKOUT_PARAMETERS = [["username", "ip_address"], "ip_address"]
AXES_FAILURE_LIMIT = 5
AXES_COOLOFF_TIME = timedelta(minutes=15)
AXES_RESET_COOL_OFF_ON_FAILURE_DURING_LOCKOUT = False
AXES_RESET_ON_SUCCESS = True
AXES_CLIENT_IP_CALLABLE = "clubledger.web.throttle.counted_address"
AXES_USERNAME_CALLABLE = "clubledger.web.throttle.counted_name"
AXES_LOCKOUT_CALLABLE = "clubledger.web.throttle.locked"
AXES_SENSITIVE_PARAMETERS = ["username", "login", "email", "ip_address", "old_password", "new_password1", "new_password2"]
AXES_DISABLE_ACCESS_LOG = True
AXES_ENABLE_ADMIN = False
AXES_VERBOSE = False

# --- Mail -----------------------------------------------------------------------------------------------------------

CAN_MAIL = bool(env.str("EMAIL_URL", default=""))  # without a mail server no mail is sent, and no page offers mail
if CAN_MAIL:
    EMAIL = env.email_url("EMAIL_URL")
    vars().update(EMAIL)
    DEFAULT_FROM_EMAIL = env.str("EMAIL_FROM", default=EMAIL["EMAIL_HOST_USER"] or "")
EMAIL_TIMEOUT = 10
ERROR_MAIL = env.list("ERROR_MAIL", default=[])  # the addresses that get a mail about each error in the program

# The beginning of links in mails. It is never taken from a request. If SITE_URL is not set, it is derived from the host name, with
# HTTPS and a single one; otherwise no mail with a link is sent (scoring/accounts/views.py).
names = [host for host in ALLOWED_HOSTS if not is_loopback(host)]
derived = f"https://{names[0]}" if HTTPS and len(names) == 1 and not names[0].startswith((".", "*")) else ""
SITE_URL = (env.str("SITE_URL", default="") or derived).rstrip("/")
if SITE_URL and not re.fullmatch(r"https?://[^\s/?#@]+", SITE_URL):
    raise ImproperlyConfigured(gettext("SITE_URL muss aussehen wie https://club.example, nicht wie %r.") % SITE_URL)

SOURCE_URL = env.str("SOURCE_URL", default="")  # the published source code, which the licence requires
if SOURCE_URL and not SOURCE_URL.startswith(("https://", "http://")):
    raise ImproperlyConfigured(gettext("SOURCE_URL muss mit https:// beginnen, anders als %r.") % SOURCE_URL)
FRONT_PAGE = env.bool("FRONT_PAGE", default=True)  # whether / shows visitors a page about the program instead of the login form
FRONT_LOGIN = env.bool("FRONT_LOGIN", default=True)  # whether that page links to the login form
OWNER = env.str("OWNER", default="")  # the name of the operator, in the footer of every page
IMPRINT = env.str("IMPRINT", default="")  # beside it: how to contact the operator, as the address of a page or as text

# --- The application ------------------------------------------------------------------------------------------------

INSTALLED_APPS = [
    "scoring",
    "django.contrib.admin.apps.SimpleAdminConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "clubledger.apps.Site",
    "django.contrib.staticfiles",
    "axes",
    "crispy_forms",
    "crispy_bootstrap5",
    "django_tables2",
    "lucide",
]

# The middleware that sets headers comes first, so that responses of all others get the headers as well.
MIDDLEWARE = [
    "clubledger.web.middleware.PolicyMiddleware",
    "csp.middleware.CSPMiddleware",
    "clubledger.web.middleware.NoIndexMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "clubledger.web.middleware.FilesMiddleware",
    "clubledger.web.middleware.NoStoreMiddleware",
    "clubledger.web.middleware.Sessions",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "clubledger.web.middleware.ErrorTitleMiddleware",
    "scoring.site.views.LoginRedirect",
    "scoring.league.views.PublishedMonthsMiddleware",
    "clubledger.web.middleware.OverloadMiddleware",
    "axes.middleware.AxesMiddleware",
]

ROOT_URLCONF = "clubledger.urls"
ADMIN = env.bool("ADMIN", default=False)  # Django's admin for operators, read-only (scoring/admin.py)
WSGI_APPLICATION = "clubledger.wsgi.application"  # runserver
STREAMS = "scoring.table.views.live"  # the event streams, which asgi.py starts and stops

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.template.context_processors.i18n",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "clubledger.web.context_processors.describe_installation",
            ],
        },
    },
]
CRISPY_ALLOWED_TEMPLATE_PACKS = "bootstrap5"
CRISPY_TEMPLATE_PACK = "bootstrap5"
MESSAGE_STORAGE = "django.contrib.messages.storage.cookie.CookieStorage"  # no database write, which could fail
MESSAGE_TAGS = {
    messages.INFO: "alert-info",
    messages.SUCCESS: "alert-success",
    messages.WARNING: "alert-warning",
    messages.ERROR: "alert-danger",
}

# --- The database ---------------------------------------------------------------------------------------------------

DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
# In lower case, since debug pages show all settings in capitals.
database_url = env.str("DATABASE_URL", default="") or f"sqlite:///{VAR / 'db.sqlite3'}"
if not database_url.startswith(("sqlite://", "postgres://", "postgresql://", "psql://", "pgsql://")):
    raise ImproperlyConfigured(gettext("DATABASE_URL muss mit sqlite:/// oder postgres:// beginnen."))
DATABASES = {"default": env.db_url_config(database_url)}
if DATABASES["default"]["ENGINE"] == "django.db.backends.sqlite3":
    # IMMEDIATE takes the write lock when a transaction begins, so that phones wait for each other instead of failing half-way.
    # With synchronous=FULL, acknowledged data survives a power cut. With the write-ahead log, readers do not block writers.
    # secure_delete leaves no erased name in a free page of the file.
    pragmas = ["PRAGMA synchronous=FULL", "PRAGMA secure_delete=ON"]
    if use_newest_sqlite() >= SAFE_WAL:
        pragmas.append("PRAGMA journal_mode=WAL")
    WORKERS = 1
    DATABASES["default"]["OPTIONS"] = {"transaction_mode": "IMMEDIATE", "timeout": 20, "init_command": ";".join(pragmas)}
else:
    # PostgreSQL accepts 97 connections by default. Each process keeps at most 13 open; the rest is for mails, tidying, locks of
    # imports and deletions (core/limits.py), and commands.
    WORKERS = min(os.cpu_count() or 1, 7)
    # Connecting takes time. If connections were kept for one minute only, one in twenty requests of an evening would wait for it.
    DATABASES["default"]["CONN_MAX_AGE"] = 600
    DATABASES["default"]["CONN_HEALTH_CHECKS"] = True
    # A request that waits longer than 20 seconds for a lock, as with SQLite, is answered with 503. All rows fit into memory, so
    # random reads are cheap. With the default cost PostgreSQL scans the rows of two hundred clubs to find those of one.
    DATABASES["default"].setdefault("OPTIONS", {}).setdefault("options", "-c lock_timeout=20s -c random_page_cost=1.1")
WORKERS = whole_number("WORKERS", default=WORKERS)  # 1 with SQLite, which cannot notify other processes of changes

# --- Language and time ----------------------------------------------------------------------------------------------

LANGUAGE_CODE = "de"
LANGUAGES = [("de", _("Deutsch")), ("en", _("Englisch"))]
LOCALE_PATHS = [BASE_DIR / "scoring" / "locale"]  # also has the sentences of templates/ and of this package
FORMAT_MODULE_PATH = "clubledger.formats"
LANGUAGE_COOKIE_AGE = int(timedelta(days=365).total_seconds())
LANGUAGE_COOKIE_SAMESITE = "Lax"
LANGUAGE_COOKIE_SECURE = HTTPS
TIME_ZONE = "Europe/Berlin"

# --- Static files ---------------------------------------------------------------------------------------------------

STATIC_URL = "/static/"
STATIC_ROOT = VAR / "static"
# `make assets` builds these files from assets/; a wheel contains them in scoring/static/.
STATICFILES_DIRS = [path for path in (BASE_DIR / "built",) if path.exists()]
STATICFILES_FINDERS = [
    "scoring.table.texts.TextsFinder",
    "django.contrib.staticfiles.finders.FileSystemFinder",
    "django.contrib.staticfiles.finders.AppDirectoriesFinder",
]
WHITENOISE_ALLOW_ALL_ORIGINS = False  # only pages of this site use them
STORAGES = {"staticfiles": {"BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"}}

# --- The log --------------------------------------------------------------------------------------------------------

log_to = ["console", "mail"] if ERROR_MAIL and CAN_MAIL else ["console"]
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "line": {
            "()": "clubledger.logs.LogLine",
            "format": "%(asctime)s %(levelname)s %(name)s: %(message)s",
            "datefmt": "%Y-%m-%dT%H:%M:%S%z",
        },
        "request": {"()": "django.utils.log.ServerFormatter", "format": "[{server_time}] {message}", "style": "{"},
    },
    "filters": {
        "entries": {"()": "clubledger.logs.EntryFilter"},
        # uvicorn logs this for every client whose connection was closed because it read too slowly (server/bounds.py).
        "not_of_slow_readers": {
            "()": "django.utils.log.CallbackFilter",
            "callback": lambda record: "without completing response" not in record.getMessage(),
        },
    },
    "handlers": {
        "console": {"class": "logging.StreamHandler", "formatter": "line", "filters": ["entries"]},
        "runserver": {"class": "logging.StreamHandler", "formatter": "request"},
        "mail": {"class": "clubledger.logs.FaultMail", "formatter": "line", "filters": ["entries"]},
    },
    "root": {"handlers": log_to, "level": "WARNING"},
    "loggers": {
        "django": {"handlers": log_to, "level": "WARNING", "propagate": False},
        "django.server": {"handlers": ["runserver"], "level": "INFO", "propagate": False},
        "uvicorn": {"level": "ERROR"},  # bad requests of clients are not errors of the server
        "uvicorn.error": {"filters": ["not_of_slow_readers"]},
    },
}
