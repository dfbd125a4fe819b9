"""The history of the database's schema, one file a step."""
