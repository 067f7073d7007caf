"""Verbs: everything that changes a fact. Each is keyword-only, atomic, validated and written into the history."""
