"""Decides how the real server is started on static files that are collected already: to do it again takes most of its start."""

from __future__ import annotations

from typing import Any

from clubledger import serve

_call = serve.call_command


def _all_but_collecting(name: str, *words: Any, **said: Any) -> Any:
    return None if name == "collectstatic" else _call(name, *words, **said)


if __name__ == "__main__":
    serve.call_command = _all_but_collecting
    serve.main()
