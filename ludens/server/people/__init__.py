"""Who plays: profiles without accounts, what belongs to them, and their ratings."""
