"""Decides how pages and data are compressed: by brotli where the browser takes it (over HTTPS and on localhost), which is
an eighth shorter, otherwise by gzip as Django does. Files are compressed beforehand (static.py).

Somebody who sees only the length of an answer could guess secrets in it that stand beside words of their own (BREACH). So
the length is random by up to a hundred bytes. Django does this for gzip; no package does it for brotli, so we do. Answers
with data are not padded: only our own pages can send such requests (they need the token), so nobody else can put words into
the answer."""

from __future__ import annotations

import re
import secrets

import brotli
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.middleware.gzip import GZipMiddleware
from django.utils.cache import patch_vary_headers

from .headers import DATA

_TAKES_BROTLI = re.compile(r"\bbr\b")
# A page takes longer to press harder than it gains on the way; an answer of less than so many bytes takes four milliseconds.
_QUALITY, _OF_SHORT, _SHORT = 7, 11, 4000
# Less than so many bytes Django does not compress either.
_TOO_SHORT = 200


def compressed(content: bytes, padding: int) -> bytes:
    """A brotli stream of this content, with so many bytes that its reader skips."""
    quality = _OF_SHORT if len(content) < _SHORT else _QUALITY
    stream = brotli.Compressor(mode=brotli.MODE_TEXT, quality=quality)
    written: bytes = stream.process(content) + stream.flush() + (skipped(padding) if padding else b"") + stream.finish()
    return written


def skipped(size: int) -> bytes:
    """A block of metadata, as RFC 7932 has it in section 9.2: not the last block (a bit 0), of no content (11), reserved (0), its
    size in one byte (01), the size less one (eight bits), and the rest of the byte empty."""
    return (0b01_0_11_0 | (size - 1) << 6).to_bytes(2, "little") + bytes(size)


class Compression(GZipMiddleware):
    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        takes = _TAKES_BROTLI.search(request.headers.get("Accept-Encoding", ""))
        # What is sent in pieces, is short or compressed already is for Django to judge.
        if (
            not (takes and isinstance(response, HttpResponse))
            or response.has_header("Content-Encoding")
            or len(response.content) < _TOO_SHORT
        ):
            return super().process_response(request, response)
        patch_vary_headers(response, ("Accept-Encoding",))
        is_ours = request.method == "POST" and response.headers["Content-Type"] == DATA
        content = compressed(response.content, 0 if is_ours else secrets.randbelow(self.max_random_bytes + 1))
        if len(content) >= len(response.content):
            return response
        response.content = content
        response.headers["Content-Length"] = str(len(content))
        response.headers["Content-Encoding"] = "br"
        if (etag := response.headers.get("ETag", "")).startswith('"'):
            response.headers["ETag"] = f"W/{etag}"
        return response
