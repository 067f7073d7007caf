"""An evening: opened, played at its tables, closed, looked back on."""
