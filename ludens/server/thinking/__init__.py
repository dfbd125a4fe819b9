"""What lets agents think: worker processes, the turns of agents, hints and reviews."""
