#!/usr/bin/python3
"""A window of WPE as large as a phone, for WPEWebDriver to steer: the generation of WebKit that iOS 16 has. Debian has no other
browser on it than cog, whose window that nobody sees is always 800 px wide, and nothing for Python: its libraries are called as C
calls them. Each frame is thanked for and thrown away."""

import ctypes
from ctypes import CDLL, CFUNCTYPE, Structure, c_char_p, c_int, c_uint32, c_void_p
from typing import Any

WIDTH, HEIGHT = 360, 640
NOTHING = c_void_p(None)

glib, gobject = CDLL("libglib-2.0.so.0"), CDLL("libgobject-2.0.so.0")
wpe, fdo, webkit = CDLL("libwpe-1.0.so.1"), CDLL("libWPEBackend-fdo-1.0.so.1"), CDLL("libWPEWebKit-1.1.so.0")
for library, name in [
    (fdo, "wpe_view_backend_exportable_fdo_create"),
    (fdo, "wpe_view_backend_exportable_fdo_get_view_backend"),
    (gobject, "g_object_new"),
    (glib, "g_main_loop_new"),
    (webkit, "webkit_application_info_new"),
    (webkit, "webkit_web_context_new_ephemeral"),
    (webkit, "webkit_web_view_backend_new"),
    (webkit, "webkit_web_view_get_type"),
]:
    getattr(library, name).restype = c_void_p

Export = CFUNCTYPE(None, c_void_p, c_void_p)
Frame = CFUNCTYPE(c_int, c_void_p)
Begin = CFUNCTYPE(None, c_void_p, c_void_p, c_void_p)
Show = CFUNCTYPE(c_void_p, c_void_p, c_void_p)


class Exports(Structure):
    _fields_ = [(name, Export) for name in ("resource", "dmabuf", "shm", "first", "second")]


def give_back(_data: int, buffer: int) -> None:
    fdo.wpe_view_backend_exportable_fdo_dispatch_release_shm_exported_buffer(exportable, c_void_p(buffer))


def next_frame(_data: int) -> bool:
    fdo.wpe_view_backend_exportable_fdo_dispatch_frame_complete(exportable)
    return True


def show(_session: int, _data: int) -> int:
    return view


def begin(_context: int, session: int, _data: int) -> None:
    about = c_void_p(webkit.webkit_application_info_new())
    # The driver asks whether this is the browser that was wanted.
    webkit.webkit_application_info_set_name(about, b"MiniBrowser")
    webkit.webkit_automation_session_set_application_info(c_void_p(session), about)
    gobject.g_signal_connect_data(c_void_p(session), b"create-web-view", shown, NOTHING, NOTHING, 0)


# C calls them as long as the program runs.
given_back, framed, shown, begun = Export(give_back), Frame(next_frame), Show(show), Begin(begin)

wpe.wpe_loader_init(b"libWPEBackend-fdo-1.0.so")
fdo.wpe_fdo_initialize_shm()
exports = Exports(shm=given_back)
exportable = c_void_p(
    fdo.wpe_view_backend_exportable_fdo_create(ctypes.byref(exports), NOTHING, c_uint32(WIDTH), c_uint32(HEIGHT))
)
backend = c_void_p(fdo.wpe_view_backend_exportable_fdo_get_view_backend(exportable))
context = c_void_p(webkit.webkit_web_context_new_ephemeral())
property_and_value: list[Any] = [c_char_p, c_void_p]
gobject.g_object_new.argtypes = [c_void_p, *property_and_value * 3, c_void_p]
view = gobject.g_object_new(
    webkit.webkit_web_view_get_type(),
    b"backend",
    webkit.webkit_web_view_backend_new(backend, NOTHING, NOTHING),
    b"web-context",
    context,
    b"is-controlled-by-automation",
    1,
    None,
)
# It is seen, it has the focus, and it lies in a window.
wpe.wpe_view_backend_add_activity_state(backend, c_uint32(0b111))
glib.g_timeout_add(16, framed, NOTHING)
gobject.g_signal_connect_data(context, b"automation-started", begun, NOTHING, NOTHING, 0)
webkit.webkit_web_context_set_automation_allowed(context, True)
glib.g_main_loop_run(c_void_p(glib.g_main_loop_new(NOTHING, 0)))
