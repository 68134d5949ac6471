"""Row reconstruction for the composition study."""
