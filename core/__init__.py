"""Hinge's statistics, panels, choices and charts; nothing here needs a browser or a web server."""
