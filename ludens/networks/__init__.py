"""Networks: their layouts, their files, one forward pass for the CPU and one in torch."""
