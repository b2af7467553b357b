"""Who and what a user's memories speak of, and how they stand to each other; derived from active memories alone."""
