"""How a language writes dates where Django's own way would mislead; one package per language."""
