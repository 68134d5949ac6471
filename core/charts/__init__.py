"""Charts: small frames in, Altair charts out; no data access."""
