"""An old list brought along."""
