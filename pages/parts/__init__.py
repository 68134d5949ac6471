"""Parts that several pages share; they read controls and place things, and compute nothing."""
