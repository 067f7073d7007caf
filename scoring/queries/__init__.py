"""Questions, read only. A question that spans several rows of one club can be asked within one snapshot."""
