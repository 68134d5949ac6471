"""A local check of whether a rewrite kept the facts that can be read without a model."""
