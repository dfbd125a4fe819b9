"""Networks and the algorithms that train them; torch is imported by `torch_network` alone."""
