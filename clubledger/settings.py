"""Decides how an installation runs: safe without being told anything, every choice overridable from the environment.

Variables: SECRET_KEY, DATABASE_URL, ALLOWED_HOSTS, CSRF_TRUSTED_ORIGINS, HTTPS, TRUSTED_PROXIES, VAR_DIR, BACKUP_DIR, DEBUG,
LOGINS_WITHOUT_CLUB_DAYS, FRONT_PAGE, FRONT_LOGIN, FOUNDING, DEMO, ADMIN, EMAIL_URL, EMAIL_FROM, ERROR_MAIL, SITE_URL, SOURCE_URL,
OWNER, IMPRINT, WORKERS. HOST and PORT: serve.py. What must not be combined is refused in checks.py.
"""

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

from clubledger import gettext
from clubledger.private import keep_private
from clubledger.secret import kept_secret
from clubledger.sqlite import SOUND_LOG, use_newest
from clubledger.version import program
from clubledger.web.addresses import LOOPBACK, is_loopback, own_hosts

BASE_DIR = Path(__file__).resolve().parent.parent
PROGRAM = lazy(program, str)()  # what archives of clubs say of the program that wrote them
env = environ.Env()
# What an installation keeps: database, key, static files. Without a checkout around it, the program is installed from a wheel.
OWN_VAR = BASE_DIR / "var" if (BASE_DIR / "manage.py").exists() else user_data_path("clubledger", appauthor=False)
VAR = Path(env.str("VAR_DIR", default="") or OWN_VAR)
keep_private(VAR, own=VAR == OWN_VAR)
BACKUP_DIR = Path(env.str("BACKUP_DIR", default=str(VAR / "backups")))


def whole_number(name: str, default: int) -> int:
    """What this variable says, or the default where it is empty. Raises ImproperlyConfigured with one sentence."""
    said = env.str(name, default="") or str(default)
    if not (said.isascii() and said.isdigit()):
        raise ImproperlyConfigured(gettext("%s muss eine ganze Zahl ab 0 sein, nicht %r.") % (name, said))
    return int(said)


# --- Safety ---------------------------------------------------------------------------------------------------------

DEBUG = env.bool("DEBUG", default=False)
SECRET_KEY = env.str("SECRET_KEY", default="") or kept_secret(VAR / "secret_key")

# The site is for the machines that can name it. Loopback stays in any case, so that /healthz can be asked on the spot.
ALLOWED_HOSTS = list(
    dict.fromkeys([*LOOPBACK, *env.list("ALLOWED_HOSTS", default=list(LOOPBACK) if DEBUG else own_hosts())])
)
CSRF_TRUSTED_ORIGINS = env.list("CSRF_TRUSTED_ORIGINS", default=[])

# In a home network there is plain HTTP only; a server on the internet says HTTPS=1, and TRUSTED_PROXIES=1 where one
# proxy of its own stands in front and sets (never passes on) X-Forwarded-Proto and X-Forwarded-For.
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
CSRF_FAILURE_VIEW = "clubledger.web.stale.answer_stale_form"
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"

# HSTS for subdomains and browsers' preload lists reach beyond this site: that is for the owner of the domain to decide.
SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W021"]

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
PERMISSIONS_POLICY = {
    "camera": "()",
    "geolocation": "()",
    "microphone": "()",
    "payment": "()",
    "usb": "()",
}

# What is uploaded stays in memory and is never written to a disk. No body of a request is larger (server/bounds.py).
FILE_UPLOAD_MAX_MEMORY_SIZE = 16_000_000
FILE_UPLOAD_HANDLERS = ["django.core.files.uploadhandler.MemoryFileUploadHandler"]

# --- Logins ---------------------------------------------------------------------------------------------------------

LOGIN_URL = "login"
LOGIN_REDIRECT_URL = "/"
LOGOUT_REDIRECT_URL = "login"
AUTHENTICATION_BACKENDS = [
    "axes.backends.AxesStandaloneBackend",
    "django.contrib.auth.backends.ModelBackend",
]
# The only one, so that hashing is bounded wherever a password is compared or set.
PASSWORD_HASHERS = ["scoring.accounts.passwords.Hasher"]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator", "OPTIONS": {"min_length": 10}},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
    {"NAME": "scoring.accounts.passwords.GuessableValidator"},
]
# A session knows its login and when it was last seen, for the page of one's own devices.
SESSION_ENGINE = "scoring.accounts.models"
# Whether the first start invents a club to look at.
DEMO = env.bool("DEMO", default=True)
# Who founds a club: the holder of a link that the operator hands out, or every visitor.
FOUNDING = env.str("FOUNDING", default="") or "link"
if FOUNDING not in ("link", "open"):
    raise ImproperlyConfigured(gettext("FOUNDING muss link oder open sein, nicht %r.") % FOUNDING)
# A login that belongs to no club deletes itself after so many days.
LOGINS_WITHOUT_CLUB_DAYS = whole_number("LOGINS_WITHOUT_CLUB_DAYS", default=90)

# How long a link to a new password is good.
PASSWORD_RESET_TIMEOUT = int(timedelta(days=1).total_seconds())

# A club shares one address in its pub, so a name is locked at that address only: nobody can lock out anybody else
# from elsewhere, and one forgotten password does not stop the evening for the others. How many are too many for a name
# and for an address is decided in throttle.py.
AXES_HANDLER = "clubledger.web.throttle.Handler"
AXES_LOCKOUT_PARAMETERS = [["username", "ip_address"], "ip_address"]
AXES_FAILURE_LIMIT = 5
AXES_COOLOFF_TIME = timedelta(minutes=15)
AXES_RESET_COOL_OFF_ON_FAILURE_DURING_LOCKOUT = False
AXES_RESET_ON_SUCCESS = True
AXES_CLIENT_IP_CALLABLE = "clubledger.web.throttle.counted_address"
AXES_USERNAME_CALLABLE = "clubledger.web.throttle.counted_name"
AXES_LOCKOUT_CALLABLE = "clubledger.web.throttle.locked"
# What axes keeps of a form, it keeps without these.
AXES_SENSITIVE_PARAMETERS = ["username", "login", "email", "ip_address", "old_password", "new_password1", "new_password2"]
AXES_DISABLE_ACCESS_LOG = True
AXES_ENABLE_ADMIN = False
AXES_VERBOSE = False

# --- Mail -----------------------------------------------------------------------------------------------------------

# Without a server for mail none is sent, and no page offers it.
CAN_MAIL = bool(env.str("EMAIL_URL", default=""))
if CAN_MAIL:
    EMAIL = env.email_url("EMAIL_URL")
    vars().update(EMAIL)
    DEFAULT_FROM_EMAIL = env.str("EMAIL_FROM", default=EMAIL["EMAIL_HOST_USER"] or "")
EMAIL_TIMEOUT = 10
# Who gets a mail of faults of the program.
ERROR_MAIL = env.list("ERROR_MAIL", default=[])

# Links in mails begin with this, never with what a client says the host is. Behind HTTPS one name alone says it all; else the
# port or the name is not known here, and no mail with a link is sent (scoring/accounts/views.py).
names = [host for host in ALLOWED_HOSTS if not is_loopback(host)]
derived = f"https://{names[0]}" if HTTPS and len(names) == 1 and not names[0].startswith((".", "*")) else ""
SITE_URL = (env.str("SITE_URL", default="") or derived).rstrip("/")
if SITE_URL and not re.fullmatch(r"https?://[^\s/?#@]+", SITE_URL):
    raise ImproperlyConfigured(gettext("SITE_URL muss aussehen wie https://club.example, nicht wie %r.") % SITE_URL)

# Where the source of this program is published, which its licence asks for: a link at the foot of every page.
SOURCE_URL = env.str("SOURCE_URL", default="")
if SOURCE_URL and not SOURCE_URL.startswith(("https://", "http://")):
    raise ImproperlyConfigured(gettext("SOURCE_URL muss mit https:// beginnen, anders als %r.") % SOURCE_URL)
# Whether strangers see at / what this is, instead of the login.
FRONT_PAGE = env.bool("FRONT_PAGE", default=True)
# Whether that page leads to the login.
FRONT_LOGIN = env.bool("FRONT_LOGIN", default=True)
# Who runs this installation, and how to reach them: a text or an address, at the foot of every page.
OWNER = env.str("OWNER", default="")
IMPRINT = env.str("IMPRINT", default="")

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

# The headers come first, so that answers given by any of the others carry them as well.
MIDDLEWARE = [
    "clubledger.web.headers.PolicyMiddleware",
    "csp.middleware.CSPMiddleware",
    "clubledger.web.headers.NotFoundBySearchMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "clubledger.web.files.FilesMiddleware",
    "clubledger.web.headers.NotKeptMiddleware",
    "clubledger.web.overload.Sessions",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "clubledger.web.stale.CrossSiteMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "clubledger.web.headers.RefusedTitleMiddleware",
    "scoring.site.access.LoginRedirect",
    "scoring.league.views.MonthChangesMiddleware",
    "clubledger.web.overload.OverloadMiddleware",
    "axes.middleware.AxesMiddleware",
]

ROOT_URLCONF = "clubledger.urls"
ADMIN = env.bool("ADMIN", default=False)  # Django's admin for operators, read-only (scoring/admin.py)
WSGI_APPLICATION = "clubledger.wsgi.application"  # runserver
# Its streams begin and end with a process of the server (asgi.py).
STREAMS = "scoring.table.views.live"

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
                "clubledger.backups.for_pages",
            ],
        },
    },
]
CRISPY_ALLOWED_TEMPLATE_PACKS = "bootstrap5"
CRISPY_TEMPLATE_PACK = "bootstrap5"
# Never in the session: to say that something is saved must not need another write, which could fail.
MESSAGE_STORAGE = "django.contrib.messages.storage.cookie.CookieStorage"
MESSAGE_TAGS = {
    messages.INFO: "alert-info",
    messages.SUCCESS: "alert-success",
    messages.WARNING: "alert-warning",
    messages.ERROR: "alert-danger",
}

# --- The database ---------------------------------------------------------------------------------------------------

DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
# It may hold a password: no setting, which a page about an error would show.
database_url = env.str("DATABASE_URL", default="") or f"sqlite:///{VAR / 'db.sqlite3'}"
if not database_url.startswith(("sqlite://", "postgres://", "postgresql://", "psql://", "pgsql://")):
    raise ImproperlyConfigured(gettext("DATABASE_URL muss mit sqlite:/// oder postgres:// beginnen."))
DATABASES = {"default": env.db_url_config(database_url)}
if DATABASES["default"]["ENGINE"] == "django.db.backends.sqlite3":
    # IMMEDIATE takes the write lock when a transaction begins, so that a dozen phones wait for each other instead of
    # failing half-way; FULL keeps what was answered as saved through a power cut. With the write-ahead log nobody who
    # reads makes a writer wait; a database without one gets it as soon as it is opened.
    # What is deleted or replaced is overwritten in the file: a name that was erased stands in no free page of it.
    pragmas = ["PRAGMA synchronous=FULL", "PRAGMA secure_delete=ON"]
    if use_newest() >= SOUND_LOG:
        pragmas.append("PRAGMA journal_mode=WAL")
    WORKERS = 1
    DATABASES["default"]["OPTIONS"] = {
        "transaction_mode": "IMMEDIATE",
        "timeout": 20,
        "init_command": ";".join(pragmas),
    }
else:
    # PostgreSQL lets in 97 connections where nobody told it otherwise; each process of the server keeps 13 at most, 91 in all. What
    # is left is for what comes and goes: mails, tidying up, the lock of an import or a deletion (core/limits.py), commands.
    WORKERS = min(os.cpu_count() or 1, 7)
    # A new connection makes a request wait, also since PostgreSQL then looks up each table again. With a new one each minute that
    # would be every twentieth request of an evening. It is looked at when a request comes: without one it is kept for longer.
    DATABASES["default"]["CONN_MAX_AGE"] = 600
    DATABASES["default"]["CONN_HEALTH_CHECKS"] = True
    # As long as SQLite's timeout: whoever waits longer for a table hears that too much is going on. And where a row lies makes
    # no difference, as all of them are in memory: else PostgreSQL reads the tables of two hundred clubs for those of one.
    DATABASES["default"].setdefault("OPTIONS", {}).setdefault("options", "-c lock_timeout=20s -c random_page_cost=1.1")
# How many processes serve. SQLite has one writer, and tells nobody what it wrote.
WORKERS = whole_number("WORKERS", default=WORKERS)

# --- Language and time ----------------------------------------------------------------------------------------------

LANGUAGE_CODE = "de"
LANGUAGES = [("de", _("Deutsch")), ("en", _("Englisch"))]
LOCALE_PATHS = [BASE_DIR / "scoring" / "locale"]  # for the sentences of templates/ and of this package as well
FORMAT_MODULE_PATH = "clubledger.formats"
LANGUAGE_COOKIE_AGE = int(timedelta(days=365).total_seconds())
LANGUAGE_COOKIE_SAMESITE = "Lax"
LANGUAGE_COOKIE_SECURE = HTTPS
USE_I18N = True
USE_TZ = True
TIME_ZONE = "Europe/Berlin"

# --- Static files ---------------------------------------------------------------------------------------------------

STATIC_URL = "/static/"
STATIC_ROOT = VAR / "static"
# What `make assets` makes of assets/; a wheel has it in scoring/static/.
STATICFILES_DIRS = [path for path in (BASE_DIR / "built",) if path.exists()]
STATICFILES_FINDERS = [
    "scoring.table.texts.TextsFinder",
    "django.contrib.staticfiles.finders.FileSystemFinder",
    "django.contrib.staticfiles.finders.AppDirectoriesFinder",
]
WHITENOISE_ALLOW_ALL_ORIGINS = False  # our files are for our pages
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
        "without_people": {"()": "clubledger.logs.WithoutPeople"},
        "only_faults_at_length": {"()": "clubledger.logs.OnlyFaultsAtLength"},
        # Said of every client that was cut off because it reads too slowly (server/bounds.py).
        "not_of_slow_readers": {
            "()": "django.utils.log.CallbackFilter",
            "callback": lambda record: "without completing response" not in record.getMessage(),
        },
    },
    "handlers": {
        "console": {
            "class": "logging.StreamHandler",
            "formatter": "line",
            "filters": ["without_people", "only_faults_at_length"],
        },
        "runserver": {"class": "logging.StreamHandler", "formatter": "request"},
        "mail": {
            "class": "clubledger.logs.FaultMail",
            "formatter": "line",
            "filters": ["without_people", "only_faults_at_length"],
        },
    },
    "root": {"handlers": log_to, "level": "WARNING"},
    "loggers": {
        "django": {"handlers": log_to, "level": "WARNING", "propagate": False},
        "django.server": {"handlers": ["runserver"], "level": "INFO", "propagate": False},
        "uvicorn": {"level": "ERROR"},  # what clients send is no fault of the server
        "uvicorn.error": {"filters": ["not_of_slow_readers"]},
    },
}
