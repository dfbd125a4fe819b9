"""What receives requests: the routes, their shapes and errors, the guard before them and the page."""
