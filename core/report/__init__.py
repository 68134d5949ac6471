"""Reports: one view or one story as a file that stands alone, as HTML and as Word."""
