"""Decides how a phone of another engine than Chromium is held: a page is opened, something in it is tapped at its middle with a
pointer, something is typed, and a script of the test is asked in it."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from selenium.webdriver import ActionChains, WebKitGTK, WebKitGTKOptions
from selenium.webdriver.common.actions.action_builder import ActionBuilder
from selenium.webdriver.support.wait import WebDriverWait
from selenium.webdriver.webkitgtk.service import Service

from tests.chromium import PATIENCE

WINDOW = Path(__file__).with_name("window.py")
_FOR_THE_WINDOW = "import gi; gi.require_version('Gtk', '3.0'); gi.require_version('WebKit2', '4.1')"
# The middle of what is to be tapped, once it is in sight: of a link that takes two lines, that of the first.
MIDDLE = """(selector) => {
    const target = typeof selector === "string" ? document.querySelector(selector) : selector;
    target.scrollIntoView({ block: "center", behavior: "instant" });
    const { left, top, width, height } = target.getClientRects()[0];
    return [left + width / 2, top + height / 2].map(Math.floor);
}"""


def missing() -> dict[str, str]:
    """The engines that are not here, and what Debian calls all that they need."""
    lacks = {}
    if not (shutil.which("WebKitWebDriver") and shutil.which("Xvfb") and _has_a_window()):
        lacks["WebKitGTK"] = "webkit2gtk-driver xvfb python3-gi gir1.2-webkit2-4.1"
    return lacks


def _has_a_window() -> bool:
    try:
        return subprocess.run(["/usr/bin/python3", "-c", _FOR_THE_WINDOW], capture_output=True, check=False).returncode == 0
    except OSError:
        return False


@contextmanager
def screen() -> Iterator[str]:
    """A screen that nobody sees, and its name; the server itself chooses one that nobody has."""
    ours, its = os.pipe()
    server = subprocess.Popen(
        ["Xvfb", "-displayfd", str(its), "-screen", "0", "800x900x24", "-nolisten", "tcp"],
        pass_fds=[its],
        stderr=subprocess.DEVNULL,
    )
    os.close(its)
    try:
        with os.fdopen(ours) as said:
            yield f":{said.readline().strip()}"
    finally:
        server.terminate()
        server.wait()


class Phone:
    def __init__(self, driver: Any) -> None:
        self.driver = driver

    def open(self, address: str) -> None:
        self.driver.get(address)

    def ask(self, script: str, *words: Any) -> Any:
        return self.driver.execute_script(f"return ({script})(...arguments)", *words)

    def wait_for(self, script: str, *words: Any) -> None:
        """Until this is so: what the page shows, never a time."""
        WebDriverWait(self.driver, PATIENCE / 1000).until(lambda _: self.ask(script, *words), f"Not so: {script} {words}")

    def tap(self, selector: str) -> None:
        self.wait_for("(selector) => document.querySelector(selector)?.getClientRects().length", selector)
        left, top = self.ask(MIDDLE, selector)
        action = ActionBuilder(self.driver)
        action.pointer_action.move_to_location(left, top)
        action.pointer_action.click()
        action.perform()

    def type(self, text: str) -> None:
        ActionChains(self.driver).send_keys(text).perform()

    def log_in(self, site: str, name: str, password: str) -> None:
        self.open(f"{site}/login/")
        self.tap("[name=username]")
        self.type(name)
        self.tap("[name=password]")
        self.type(password)
        self.tap("main form [type=submit]")
        self.wait_for("() => document.readyState === 'complete' && document.body.dataset.who")


@contextmanager
def webkit_gtk() -> Iterator[Phone]:
    options = WebKitGTKOptions()
    options.binary_location = str(WINDOW)
    with screen() as display:
        service = Service(shutil.which("WebKitWebDriver"), env={**os.environ, "DISPLAY": display})
        driver = WebKitGTK(options=options, service=service)
        try:
            yield Phone(driver)
        finally:
            driver.quit()


ENGINES = {"WebKitGTK": webkit_gtk}
