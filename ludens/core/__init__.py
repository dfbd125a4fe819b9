"""What all games stand on: verbs over records, chance, matches, batches."""
