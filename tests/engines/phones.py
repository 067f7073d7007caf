"""Decides how a phone of another engine than Chromium is held: a page is opened, something in it is tapped at its middle with a
pointer, something is typed, and a script of the test is asked in it. WebKit comes as WebKitGTK, of about the generation of
the newest Safari, and as WPE, which Debian has from the time of iOS 16; each is steered by its own driver. Firefox speaks WebDriver
BiDi by itself."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import time
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import websocket
from selenium.common.exceptions import WebDriverException
from selenium.webdriver import ActionChains, WebKitGTK, WebKitGTKOptions, WPEWebKit, WPEWebKitOptions
from selenium.webdriver.common.actions.action_builder import ActionBuilder
from selenium.webdriver.webkitgtk.service import Service as GTKService
from selenium.webdriver.wpewebkit.service import Service as WPEService

from tests.chromium import PATIENCE
from tests.server import kill

HERE = Path(__file__).parent
WIDTH, HEIGHT = 360, 640
# What of the system the windows stand on, for its own Python.
_GTK = "import gi; gi.require_version('Gtk', '3.0'); gi.require_version('WebKit2', '4.1')"
_WPE = "from ctypes import CDLL; CDLL('libWPEBackend-fdo-1.0.so.1'); CDLL('libWPEWebKit-1.1.so.0')"
# What lies at the middle of this (of a link on two lines, of the first), and where that is: as the page stands, or once this is
# scrolled to the middle of the screen, where that is needed to reach one of these parts.
REACH = """(target, parts) => {
    for (const isScrolled of [false, true]) {
        if (isScrolled) target.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
        const { left, top, width, height } = target.getClientRects()[0];
        const place = [Math.floor(left + width / 2), Math.floor(top + height / 2)];
        const there = document.elementFromPoint(...place);
        const isReached = parts.some((part) => part.contains(there));
        if (isReached || isScrolled) return { place, there, isReached };
    }
}"""
# Is there something to be seen of it, and not behind a closed fold?
IS_SEEN = """(one) => {
    const { width, height } = one.getBoundingClientRect();
    const isFolded = one.parentElement.closest("details:not([open]) > :not(summary)");
    return width > 2 && height > 2 && getComputedStyle(one).visibility === "visible" && !isFolded;
}"""
# Where the first of those that are seen, and have these words, gets a tap: nowhere as long as something lies over it.
PLACE = f"""(selector, words) => {{
    const [isSeen, reach] = [{IS_SEEN}, {REACH}];
    const [one] = [...document.querySelectorAll(selector)].filter((one) => one.textContent.includes(words) && isSeen(one));
    if (!one) return null;
    const {{ place, isReached }} = reach(one, [one.closest("#rows tr") ?? one, ...(one.labels ?? [])]);
    return isReached ? place : null;
}}"""


class Gone(Exception):
    """The page that was asked is no longer there, or not yet."""


class Phone(ABC):
    @abstractmethod
    def open(self, address: str) -> None: ...

    @abstractmethod
    def run(self, script: str) -> Any:
        """What the body of a function answers in the page, as JSON."""

    @abstractmethod
    def tap_at(self, left: int, top: int) -> None: ...

    @abstractmethod
    def type(self, text: str) -> None: ...

    def ask(self, script: str, *words: Any) -> Any:
        said = ", ".join(json.dumps(word) for word in words)
        return json.loads(self.run(f"return JSON.stringify(({script})({said}) ?? null)"))

    def wait_for(self, script: str, *words: Any) -> Any:
        """Until the page shows it: what the script answers then."""
        give_up = time.monotonic() + PATIENCE / 1000
        while True:
            with suppress(Gone):
                if found := self.ask(script, *words):
                    return found
            assert time.monotonic() < give_up, f"Not so: {script} {words}; the page says: {self.text('body')[:2000]}"
            time.sleep(0.05)

    def tap(self, selector: str, words: str = "") -> None:
        """Tap where it lies, once nothing lies over it and the page has come to rest."""
        place = None
        while place != (found := self.wait_for(PLACE, selector, words)):
            place = found
            time.sleep(0.15)
            self.wait_for("() => document.readyState === 'complete'")
        try:
            self.tap_at(*place)
        except Gone:
            # Firefox shows a page while it still leaves the one before.
            self.tap(selector, words)

    def text(self, selector: str) -> str:
        text: str = self.ask("(selector) => document.querySelector(selector)?.innerText ?? ''", selector)
        return text

    def expect(self, selector: str, words: str) -> None:
        script = "(selector, words) => document.querySelector(selector)?.innerText.includes(words)"
        self.wait_for(script, selector, words)

    def log_in(self, site: str, name: str, password: str) -> None:
        self.open(f"{site}/login/")
        self.tap("[name=username]")
        self.type(name)
        self.tap("[name=password]")
        self.type(password)
        self.tap("main form [type=submit]")
        self.wait_for("() => document.readyState === 'complete' && document.body.dataset.who")


class WebKit(Phone):
    def __init__(self, driver: Any) -> None:
        self.driver = driver

    def open(self, address: str) -> None:
        self.driver.get(address)

    def run(self, script: str) -> Any:
        try:
            return self.driver.execute_script(script)
        except WebDriverException as error:
            raise Gone(str(error)) from error

    def tap_at(self, left: int, top: int) -> None:
        action = ActionBuilder(self.driver)
        action.pointer_action.move_to_location(left, top)
        action.pointer_action.click()
        action.perform()

    def type(self, text: str) -> None:
        ActionChains(self.driver).send_keys(text).perform()


class Firefox(Phone):
    def __init__(self, wire: websocket.WebSocket) -> None:
        self.wire = wire
        self.asked = 0
        self.tell("session.new", capabilities={})
        [tab] = self.tell("browsingContext.getTree")["contexts"]
        self.tab = tab["context"]
        self.tell("browsingContext.setViewport", context=self.tab, viewport={"width": WIDTH, "height": HEIGHT})

    def tell(self, method: str, **words: Any) -> Any:
        self.asked += 1
        self.wire.send(json.dumps({"id": self.asked, "method": method, "params": words}))
        while (answer := json.loads(self.wire.recv())).get("id") != self.asked:
            pass
        if answer["type"] != "success":
            raise Gone(answer["message"])
        return answer["result"]

    def open(self, address: str) -> None:
        self.tell("browsingContext.navigate", context=self.tab, url=address, wait="complete")

    def run(self, script: str) -> Any:
        target = {"context": self.tab}
        answer = self.tell("script.callFunction", functionDeclaration=f"() => {{ {script} }}", awaitPromise=False, target=target)
        if answer["type"] != "success":
            raise Gone(answer["exceptionDetails"]["text"])
        return answer["result"].get("value")

    def tap_at(self, left: int, top: int) -> None:
        move = {"type": "pointerMove", "x": left, "y": top}
        down, up = ({"type": f"pointer{what}", "button": 0} for what in ("Down", "Up"))
        finger = {"type": "pointer", "id": "finger", "parameters": {"pointerType": "touch"}}
        self.tell("input.performActions", context=self.tab, actions=[{**finger, "actions": [move, down, up]}])

    def type(self, text: str) -> None:
        keys = [{"type": f"key{what}", "value": letter} for letter in text for what in ("Down", "Up")]
        self.tell("input.performActions", context=self.tab, actions=[{"type": "key", "id": "keys", "actions": keys}])


@contextmanager
def _screen() -> Iterator[str]:
    """A screen that nobody sees, and its name: the server itself takes one that nobody has."""
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


@contextmanager
def webkit_gtk() -> Iterator[Phone]:
    options = WebKitGTKOptions()
    options.binary_location = str(HERE / "window_gtk.py")
    with _screen() as screen, _driver(GTKService, "WebKitWebDriver", DISPLAY=screen) as service:
        yield WebKit(WebKitGTK(options=options, service=service))


@contextmanager
def wpe() -> Iterator[Phone]:
    options = WPEWebKitOptions()
    options.binary_location = str(HERE / "window_wpe.py")
    with _driver(WPEService, "WPEWebDriver") as service:
        yield WebKit(WPEWebKit(options=options, service=service))


@contextmanager
def _driver(kind: Any, program: str, **more: str) -> Iterator[Any]:
    """The plug is taken out of it and all that it started: WPE's may wait for its browser for ever."""
    service = kind(shutil.which(program), env={**os.environ, **more}, popen_kw={"start_new_session": True})
    try:
        yield service
    finally:
        if service.process:
            kill(service.process)


@contextmanager
def firefox() -> Iterator[Phone]:
    """On a port that it chooses itself and says."""
    with TemporaryDirectory() as profile:
        (Path(profile) / "user.js").write_text('user_pref("intl.accept_languages", "de-DE, de");')
        program = subprocess.Popen(
            [_firefox(), "--headless", "--no-remote", "--remote-debugging-port", "0", "--profile", profile],
            env={**os.environ, "HOME": profile},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
        )
        assert program.stderr
        address = next(line.split()[-1] for line in program.stderr if "ws://" in line)
        wire = websocket.create_connection(f"{address}/session", suppress_origin=True, timeout=PATIENCE / 1000)
        try:
            yield Firefox(wire)
        finally:
            wire.close()
            program.terminate()
            program.communicate()


def _firefox() -> str:
    return shutil.which("firefox-esr") or shutil.which("firefox") or ""


def _has(program: str) -> bool:
    """Does the system's own Python find all that this imports?"""
    try:
        return subprocess.run(["/usr/bin/python3", "-c", program], capture_output=True, check=False).returncode == 0
    except OSError:
        return False


def missing() -> dict[str, str]:
    """The engines that are not here, and what Debian calls all that they need."""
    lacks = {}
    if not (shutil.which("WebKitWebDriver") and shutil.which("Xvfb") and _has(_GTK)):
        lacks["WebKitGTK"] = "webkit2gtk-driver xvfb python3-gi gir1.2-webkit2-4.1"
    if not (shutil.which("WPEWebDriver") and _has(_WPE)):
        lacks["WPE"] = "wpewebkit-driver libwpewebkit-1.1-0 libwpebackend-fdo-1.0-1"
    if not _firefox():
        lacks["Firefox"] = "firefox-esr"
    return lacks


ENGINES = {"WebKitGTK": webkit_gtk, "WPE": wpe, "Firefox": firefox}
