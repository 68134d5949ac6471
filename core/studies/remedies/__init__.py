"""The remedies study: does the style of a complaint move the remedy that a system gives."""
