"""One specification of a study, ready to be told: its sentence, verdicts, charts and limits.

Reports, stories and the front door all draw on these; so do they say and draw what a study's page
says and draws.
"""
