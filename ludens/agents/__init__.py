"""Names and parameters to players: `name` or `name:key=value,key=value`."""
