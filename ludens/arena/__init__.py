"""The arena: many games between agents, judged with intervals."""
