"""Pure domain code: no I/O, clock, environment or randomness; data in, data out."""
