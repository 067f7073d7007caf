"""An invented club to look at: who plays in it, what they played and when. The same each time, and through the same
actions as everything else. No person in it is real."""
