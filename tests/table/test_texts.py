"""Test the file of sentences for the scripts: one for each language."""

from __future__ import annotations

import json
import re

import pytest
from django.templatetags.static import static
from django.test import Client
from django.urls import reverse

from scoring.table.texts import build_words
from tests.factories import Cast


@pytest.mark.parametrize(("language", "corrects"), [("de", "Berichtigen"), ("en", "Correct")])
def test_a_page_has_the_words_of_its_language(cast: Cast, language: str, corrects: str) -> None:
    client = Client(headers={"accept-language": language})
    client.force_login(cast.scorer)
    page = client.get(reverse("table", args=["karo", cast.table.pk])).content.decode()
    (address,) = re.findall(r'src="(/static/table/[^"]*)"', page)
    assert address == static(f"table/{language}.js")
    answer = client.get(address)
    assert "immutable" in answer.headers["Cache-Control"]
    told = json.loads(answer.content.removeprefix(b"globalThis.WORDS="))
    assert told == json.loads(json.dumps(build_words(language)))
    assert told["texts"]["correct"] == corrects
