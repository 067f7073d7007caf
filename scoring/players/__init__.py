"""One person, two side by side, all of them; and two who are one."""
