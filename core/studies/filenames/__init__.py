"""The filenames study: does a label in a file's name move a judge's score of the same text."""
