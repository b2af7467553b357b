"""Rules that decide what people always decided alike: proposed from their decisions, made by an admin, watched, undone.

A rule's decision is no person's: it confirms no memory, speaks for or against no source, and proposes no further rule.
"""
