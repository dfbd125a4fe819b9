"""Reports of experiments: one HTML file that needs nothing else, and the same in Markdown."""
