"""What a device is called."""

from __future__ import annotations

from django.utils.translation import gettext as _


def device_name(browser: str, system: str) -> str:
    """Browser and system, as far as they are known; each is empty where it is not."""
    if browser and system:
        return _("%(browser)s auf %(system)s") % {"browser": browser, "system": system}
    return browser or system or _("Ein Gerät, das nicht sagt, was es ist")
