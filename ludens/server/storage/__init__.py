"""What stores: the database, the rows of a table, and the thread that commits them."""
