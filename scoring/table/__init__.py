"""At the table: entering, correcting, who sits where, what came too late."""
