"""The Model Context Protocol: what tools give back, read and cleaned before it is recorded."""
