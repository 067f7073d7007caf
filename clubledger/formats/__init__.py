"""Date formats for languages whose formats in Django would be misread, one package per language."""
