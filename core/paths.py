"""Where the project's own data lies."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
REFERENCE = ROOT / "data" / "reference"
PANELS = ROOT / "data" / "panels"
LEDGERS = ROOT / "data" / "ledgers"
DRAWS = ROOT / "data" / "draws"
STORIES = ROOT / "data" / "stories"
GLOSSARY = ROOT / "data" / "glossary.toml"
ITEMS = ROOT / "data" / "items"
