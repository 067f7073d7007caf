"""What stories without a net begin with: a wire that can be cut, and a phone whose browser is shut and started again."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import BrowserType, Page
from pytest_django.live_server_helper import LiveServer

from scoring.models import Club, Table
from tests.chromium import PATIENCE
from tests.factories import make_bock_table, make_user
from tests.network import Net


@pytest.fixture
def scorer(club: Club) -> User:
    return make_user("schorsch", club, ["scorer"])


@pytest.fixture
def bock_table(club: Club) -> Table:
    return make_bock_table(club)


@pytest.fixture
def net(live_server: LiveServer) -> Iterator[Net]:
    between = Net(live_server.url)
    yield between
    between.cut()


@pytest.fixture
def restarted(
    tmp_path: Path,
    browser_type: BrowserType,
    browser_type_launch_args: dict[str, Any],
    browser_context_args: dict[str, Any],
) -> Callable[[], AbstractContextManager[Page]]:
    """The browser of one phone: started each time it is asked for, shut afterwards, and what it keeps is on its disk."""

    @contextmanager
    def started() -> Iterator[Page]:
        options = {**browser_type_launch_args, **browser_context_args, "service_workers": "allow"}
        context = browser_type.launch_persistent_context(tmp_path / "phone", **options)
        context.set_default_timeout(PATIENCE)
        try:
            yield context.pages[0]
        finally:
            context.close()

    return started
