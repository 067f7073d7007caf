"""Check that the port is free. Standard library only: `make run` runs it before the virtual environment exists."""

from __future__ import annotations

import errno
import os
import socket
import sys

from clubledger import gettext as _

DEFAULT_HOST = "0.0.0.0"  # noqa: S104  # nosec B104  # every interface, so that the phones at the table can reach it
DEFAULT_PORT = 8000


def address(environment: dict[str, str] | None = None) -> tuple[str, int]:
    """Return HOST (without brackets) and PORT of the environment. Raise ValueError."""
    variables = os.environ if environment is None else environment
    host, port = variables.get("HOST") or DEFAULT_HOST, variables.get("PORT") or str(DEFAULT_PORT)
    if not (port.isascii() and port.isdigit() and 0 < int(port) < 65536):
        raise ValueError(_("PORT muss eine Zahl von 1 bis 65535 sein, nicht %r.") % port)
    return host.strip("[]"), int(port)


def complaint(host: str, port: int) -> str:
    """Return why no server can listen there; "" if one can."""
    try:
        family, kind, number, _name, place = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        with socket.socket(family, kind, number) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(place)
            probe.listen(1)
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            sentence = _("Port %(port)s gehört schon einem anderen Programm. Bitte einen anderen nehmen: make run PORT=%(free)s")
            return sentence % {"port": port, "free": port + 1 if port < 65535 else port - 1}
        if error.errno == errno.EACCES:
            return _("Port %s ist nur für root. Bitte einen ab 1024 nehmen: make run PORT=8000") % port
        sentence = _("Auf %(host)s, Port %(port)s, kann nichts angeboten werden: %(reason)s")
        return sentence % {"host": host, "port": port, "reason": error.strerror or error}
    return ""


def refuse_taken() -> tuple[str, int]:
    """Return host and port; exit with a sentence if PORT is wrong or a server cannot listen there."""
    try:
        host, port = address()
    except ValueError as error:
        sys.exit(str(error))
    if sentence := complaint(host, port):
        sys.exit(sentence)
    return host, port


if __name__ == "__main__":
    refuse_taken()
