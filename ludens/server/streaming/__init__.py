"""What streams: the view of each audience, and the connections that carry it."""
