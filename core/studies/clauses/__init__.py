"""The clauses study: does naming the parties of a contract clause move a fairness rating."""
