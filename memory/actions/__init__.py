"""One verb a file, and the only code that writes memories and conflicts.

Every verb is keyword-only, runs in one transaction, and leaves a change, versions and audit rows behind.
They raise `base.Stale` when somebody was faster and `base.Refused` when a rule forbids it.
"""
