"""Decides in which engines a test of this folder runs: in each that is here, once in `make test`."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.effort import LONG
from tests.engines.phones import ENGINES, Phone, missing


@pytest.fixture(params=ENGINES)
def phone(request: pytest.FixtureRequest) -> Iterator[Phone]:
    if LONG and request.node.get_closest_marker("soak") is None:
        pytest.skip("`make test` has asked it.")
    if request.param in missing():
        pytest.skip(f"{request.param} is not here.")
    with ENGINES[request.param]() as held:
        yield held
