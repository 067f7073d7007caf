"""Files that are brought along: what they say, read without writing anything. Bytes become rows of text, rows become
evenings and lines; what cannot be read is named with its row."""
