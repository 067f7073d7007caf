"""Valid requests and what a machine makes of them: every form of a page as a browser would send it, and the same again with
one field changed to something that nobody should be able to send."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from html.parser import HTMLParser
from typing import Any
from urllib.parse import urljoin, urlsplit

from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import HttpResponse
from django.test import Client

# What no field of a form wants, or hardly any. A number here is the id of nothing, and one that no column holds.
BAD_NUMBERS = (
    "0",
    "-1",
    "007",
    "1_0",
    "+1",
    "²",
    "٣",
    "1e9",
    "1,5",
    "1.5",
    "99999",
    str(2**31),
    str(2**63),
    "9" * 30,
    "9" * 5000,
)
BAD_WORDS = (
    "",
    " ",
    "NaN",
    "Infinity",
    "true",
    "None",
    "null",
    "[]",
    "{}",
    '{"a": 1}',
    "none",
    "re",
    "__all__",
    "%s%n",
)
BAD_SIGNS = (
    "\x00",
    "a\x00b",
    "\n",
    "a\r\nb: c",
    "\u202e",
    "Ber\u202eta",
    "\u200b",
    "\ufeff",
    "ﷺ" * 40,
    "é" * 41,
    "a" * 61,
    "a" * 201,
    "x" * 100_000,
)
BAD_PLANS = ("<script>alert(1)</script>", "' OR 1=1 --", "=1+1", "{0.__class__}", "../../etc/passwd", "//example.org")
BAD_DAYS = ("2026-02-30", "0000-00-00", "9999-12-31", "10000-01-01", "2026-13", "31.02.2026")
BAD_KEYS = ("00000000-0000-0000-0000-000000000000", "12345678-1234-4234-8234-12345678123")
BAD_TEXTS: tuple[str, ...] = (*BAD_NUMBERS, *BAD_WORDS, *BAD_SIGNS, *BAD_PLANS, *BAD_DAYS, *BAD_KEYS)
# What JSON can hold besides.
_SMALL = (None, True, False, 0, -1, 1.5, 1e308, 2**31, 2**63, 10**30, "x", "\ud800")
_LISTS = ([], [[]], [None], [0, 0], list(range(9)), [-1], [2**63], ["x"], list(range(3000)))
_OBJECTS = ({}, {"a": {"b": []}}, {"fuchs": 2**40}, {"fuchs": -1}, {"fuchs": None}, {"": 1})
BAD_DATA: tuple[Any, ...] = (*_SMALL, *_LISTS, *_OBJECTS)
NESTED = "[" * 3000 + "]" * 3000
CSRF = "csrfmiddlewaretoken"
# What a browser says beside the request itself.
COOKIES = ("sessionid", "csrftoken", "django_language", "messages")
HEADERS = (
    "Accept",
    "Accept-Language",
    "Host",
    "If-None-Match",
    "Origin",
    "Referer",
    "Typed-By",
    "User-Agent",
    "X-Forwarded-For",
)


@dataclass(frozen=True)
class Valid:
    """One request that the site takes. `fields` are those of a form or the keys of a JSON object, `spare` those that only
    a tap would send (a box that is not ticked); `files` by field: name and content."""

    who: str
    method: str
    address: str
    fields: dict[str, Any]
    spare: dict[str, str] = field(default_factory=dict)
    as_json: bool = False
    files: dict[str, tuple[str, bytes]] = field(default_factory=dict)
    cookies: dict[str, str] = field(default_factory=dict)
    headers: dict[str, str] = field(default_factory=dict)

    def __str__(self) -> str:
        return f"{self.who}: {self.method} {self.address}"

    def send(self, client: Client) -> HttpResponse:
        for name, value in self.cookies.items():
            client.cookies.pop(name, None)
            client.cookies[name] = value
        if self.as_json:
            body = json.dumps(self.fields).replace(f'"{NESTED}"', NESTED)
            return self._post(client, body, content_type="application/json")
        if self.method == "GET":
            return client.get(self.address, self.fields, headers=self.headers)
        uploads = {name: SimpleUploadedFile(*said) for name, said in self.files.items()}
        return self._post(client, {**self.fields, **uploads})

    def _post(self, client: Client, data: Any, **kw: Any) -> HttpResponse:
        token = client.cookies["csrftoken"].value
        headers = {"X-CSRFToken": token, "Accept": "application/json" if self.as_json else "text/html"}
        response: HttpResponse = client.post(self.address, data, headers=headers, **kw)
        return response


@dataclass(frozen=True)
class Changed:
    """A request with one field that is not as it was."""

    field: str
    value: Any
    request: Valid

    def __str__(self) -> str:
        return f"{self.request} with {self.field} = {str(self.value)[:80]!r}"


def changes(valid: Valid, foreign: tuple[str, ...]) -> Iterator[Changed]:
    """Every field once with each bad value, left out, said twice and said very often; `foreign`: ids of things that belong
    to others."""
    for name, said in {**valid.spare, **valid.fields}.items():
        if name == CSRF:
            continue
        values: list[Any] = [*BAD_TEXTS, *foreign]
        values += [*BAD_DATA, NESTED] if valid.as_json else [said, [said, said], ["1"] * 1000]
        for value in values:
            yield Changed(name, value, replace(valid, fields={**valid.fields, name: value}))
        without = {key: value for key, value in valid.fields.items() if key != name}
        yield Changed(name, "(left out)", replace(valid, fields=without))
        if valid.as_json and isinstance(said, dict):
            for key in said:
                for value in BAD_DATA:
                    changed = {**valid.fields, name: {**said, key: value}}
                    yield Changed(f"{name}.{key}", value, replace(valid, fields=changed))
    if valid.method == "GET" and not valid.fields:
        yield from _beside(valid)
    for name, (file, content) in valid.files.items():
        for spoilt in spoil(content):
            yield Changed(name, spoilt[:40], replace(valid, files={**valid.files, name: (file, spoilt)}))


def _beside(valid: Valid) -> Iterator[Changed]:
    """Cookies and headers. A server hands on no header with a control character in it; in a cookie it can be written as \\000."""
    for text in BAD_TEXTS:
        for name in COOKIES:
            as_sent = text.encode().decode("iso-8859-1")
            yield Changed(f"cookie {name}", text, replace(valid, cookies={name: as_sent}))
        for name in HEADERS if text.isascii() and text.isprintable() else ():
            yield Changed(f"header {name}", text, replace(valid, headers={name: text}))


def spoil(content: bytes) -> Iterator[bytes]:
    """A file that is cut off, empty, of other bytes, or with other text in the place of each of its pieces."""
    yield from (
        b"",
        b"\x00" * 64,
        b"\xff\xfe" + content,
        content[: len(content) // 2],
        b"PK\x03\x04" + content,
        content * 3,
    )
    for piece in sorted(set(content.replace(b'"', b";").replace(b"\n", b";").split(b";")))[:40]:
        if piece.strip():
            for bad in ("", "-1", "1e9", "9" * 30, "\x00", "\u202e", "=1+1", "31.02.2026", "x" * 5000, "null", "[]"):
                yield content.replace(piece, bad.encode(), 1)


# --- Forms as a browser sees them -------------------------------------------------------------------------------------


class _Forms(HTMLParser):
    """Every form of a page: its method, address and fields, each with what it holds. Boxes that are not ticked are fields
    as well, kept apart: they are sent only by whoever ticks them."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.page, self.found, self.by_id = page, [], {}
        self.open: dict[str, Any] | None = None
        self.select: tuple[dict[str, Any], str] | None = None
        self.area: tuple[dict[str, Any], str] | None = None

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        said = {name: value or "" for name, value in attrs}
        if tag == "form":
            self.open = self._form(said.get("id", ""))
            self.open |= {
                "method": said.get("method", "get").upper(),
                "address": urljoin(self.page, said.get("action", "")),
            }
            self.found.append(self.open)
            return
        form = self._form(said["form"]) if "form" in said else self.open
        name = said.get("name", "")
        if form is None:
            return
        if tag == "option" and self.select:
            form, name = self.select
            if "selected" in said or name not in form["fields"]:
                form["fields"][name] = said.get("value", "")
        elif tag == "select" and name:
            self.select = (form, name)
            if "multiple" in said:
                form["spare"].setdefault(name, "")
        elif tag == "textarea" and name:
            self.area = (form, name)
            form["fields"][name] = ""
        elif tag in ("input", "button") and name:
            self._input(form, name, tag, said)

    def _form(self, key: str) -> dict[str, Any]:
        made = {"method": "GET", "address": self.page, "fields": {}, "spare": {}, "files": [], "buttons": {}}
        return self.by_id.setdefault(key, made) if key else made

    def _input(self, form: dict[str, Any], name: str, tag: str, said: dict[str, str]) -> None:
        kind, value = said.get("type", "submit" if tag == "button" else "text"), said.get("value", "")
        if kind in ("radio", "checkbox"):
            value = value or "on"
            if "checked" in said:
                form["fields"][name] = value
            form["spare"].setdefault(name, value)
        elif kind == "file":
            form["files"].append(name)
        elif kind == "submit":
            form["buttons"].setdefault(name, value)
        elif kind != "image":
            fillers = {"date": "2026-03-06", "number": said.get("min", "1"), "password": "Vier-lange-Worte-am-Tisch"}
            form["fields"][name] = value or (fillers.get(kind, "Neu") if "required" in said else "")

    def handle_data(self, data: str) -> None:
        if self.area:
            form, name = self.area
            form["fields"][name] += data

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self.open = None
        elif tag == "select":
            self.select = None
        elif tag == "textarea":
            self.area = None


def forms_of(
    who: str, page: str, html: str, known: dict[str, dict[str, str]], file: tuple[str, bytes]
) -> Iterator[Valid]:
    """Each form of a page as a valid request; what its fields lack is `known` by the path of its address, and `file` is what
    its boxes for files get."""
    parser = _Forms(page)
    parser.feed(html)
    parser.close()
    for form in parser.found:
        path = urlsplit(form["address"]).path
        fields = {**form["buttons"], **form["fields"], **known.get(path, {})}
        files = dict.fromkeys(form["files"], file)
        yield Valid(
            who,
            form["method"],
            path if form["method"] == "GET" else form["address"],
            fields,
            form["spare"],
            files=files,
        )
