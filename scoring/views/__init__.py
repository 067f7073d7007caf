"""What a page shows and what a click does: fetch by the rights, ask or act, render. Nothing is decided here that an
action or a question could decide."""
