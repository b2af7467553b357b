"""Erasure: every place that may hold a person's words, how each is emptied, and whether it is.

A right of the person, and the only exception to "history is append-only". `actions/forget.py` is the way in.
"""
