"""The demo: conversations of our own wording, replayed through the agents' API as if they had just happened."""
