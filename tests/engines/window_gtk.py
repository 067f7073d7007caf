#!/usr/bin/python3
"""A window of WebKitGTK as large as a phone, for WebKitWebDriver to steer: its own MiniBrowser is never narrower than 447 px.
Run by the Python of the system, to which Debian's python3-gi belongs."""

import gi

gi.require_version("Gtk", "3.0")
gi.require_version("WebKit2", "4.1")

from gi.repository import Gtk, WebKit2  # noqa: E402 (the versions are chosen before)

SIZE = (360, 640)

context = WebKit2.WebContext.new_ephemeral()
window = Gtk.Window()
window.set_default_size(*SIZE)


def show(_session: object) -> object:
    view = WebKit2.WebView(web_context=context, is_controlled_by_automation=True)
    window.add(view)
    window.show_all()
    return view


def begin(_context: object, session: WebKit2.AutomationSession) -> None:
    about = WebKit2.ApplicationInfo.new()
    # The driver asks whether this is the browser that was wanted.
    about.set_name("MiniBrowser")
    session.set_application_info(about)
    session.connect("create-web-view", show)


context.connect("automation-started", begin)
context.set_automation_allowed(True)
Gtk.main()
