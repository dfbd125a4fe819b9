"""What holds tables: a table with its seats, and everything that can be done at one."""
