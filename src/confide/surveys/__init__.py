"""A design with its page: what the web app serves, and what a browser needs to know of it."""
