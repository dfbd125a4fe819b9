"""The addresses of the HTTP interface, one file a subject."""
