"""Create the secret key of an installation, if SECRET_KEY is not set, and store it in a file."""

from __future__ import annotations

import os
import secrets
import tempfile
from pathlib import Path


def kept_secret(path: Path) -> str:
    """Return the key in `path`, created (mode 600) if it is missing. Of two processes the first to link its file wins."""
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
