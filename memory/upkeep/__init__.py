"""How well the memory is kept: what came in and what became of it by day, and whether the jobs of the clock run."""
