"""Create the secret key of an installation, if SECRET_KEY is not set, and store it in a file."""

from __future__ import annotations

import os
import secrets
import tempfile
from pathlib import Path


def kept_secret(path: Path) -> str:
    """Return the key in `path`; create it (mode 600) if the file does not exist.

    Two processes that start at the same time get the same key: each writes a file of its own, and the first to link its file to
    `path` wins.
    """
    if not path.exists():
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=".secret_key-")
        try:
            with os.fdopen(handle, "w") as draft:
                draft.write(secrets.token_urlsafe(64))
                draft.flush()
                os.fsync(draft.fileno())
            os.link(name, path)
        except FileExistsError:
            pass
        finally:
            os.unlink(name)
    return path.read_text().strip()
