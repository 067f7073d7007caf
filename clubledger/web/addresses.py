"""Host names and addresses of this machine, and the client address. Standard library only: the settings import it."""

from __future__ import annotations

import socket
from contextlib import suppress
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from django.http import HttpRequest

LOOPBACK = ("localhost", "127.0.0.1", "[::1]")

# Connecting a UDP socket sends nothing; the system only chooses the own address that it would send from.
_ROUTES = (
    (socket.AF_INET, "192.0.2.1"),
    (socket.AF_INET, "192.168.255.254"),
    (socket.AF_INET, "10.255.255.254"),
    (socket.AF_INET6, "2001:db8::1"),
)


def network_addresses() -> list[str]:
    """Return the addresses of this machine without loopback, the most likely one first; IPv6 without brackets."""
    found: list[str] = []
    for family, target in _ROUTES:
        try:
            with socket.socket(family, socket.SOCK_DGRAM) as probe:
                probe.connect((target, 9))
                found.append(probe.getsockname()[0])
        except OSError:
            continue
    # On Linux also the addresses of interfaces without a default route.
    with suppress(OSError):
        lines = Path("/proc/net/fib_trie").read_text().splitlines()
        found += [before.split()[-1] for before, line in pairwise(lines) if "/32 host LOCAL" in line]
    with suppress(OSError):
        rows = Path("/proc/net/if_inet6").read_text().splitlines()
        found += [socket.inet_ntop(socket.AF_INET6, bytes.fromhex(row.split()[0])) for row in rows]
    with suppress(OSError):
        found += [str(info[4][0]) for info in socket.getaddrinfo(socket.gethostname(), None)]
    return [a for a in dict.fromkeys(found) if not a.startswith(("127.", "169.254.", "fe80:")) and a != "::1"]


def own_hosts() -> list[str]:
    name = socket.gethostname().lower()
    names = [name, f"{name}.local"] if name and "." not in name else [name] if name else []
    addresses = [f"[{a}]" if ":" in a else a for a in network_addresses()]
    return list(dict.fromkeys([*LOOPBACK, *names, *addresses]))


def is_loopback(host: str) -> bool:
    return host in LOOPBACK or host == "::1" or host.startswith("127.") or host.endswith(".localhost")


def client_address(request: HttpRequest) -> str:
    """Return the client address: the entry number TRUSTED_PROXIES from the right. Further left a client writes anything."""
    from django.conf import settings

    peer: str = request.META.get("REMOTE_ADDR", "")
    proxies: int = settings.TRUSTED_PROXIES
    if not proxies:
        return peer
    chain = [entry.strip() for entry in request.META.get("HTTP_X_FORWARDED_FOR", "").split(",") if entry.strip()]
    return chain[-proxies] if len(chain) >= proxies else peer
