"""Live checks: the studies' instruments put to a model, on a reader's own text."""
