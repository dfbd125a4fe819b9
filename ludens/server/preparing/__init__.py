"""What prepares games: kernels are compiled by a process of their own, in the order in which people want them."""
