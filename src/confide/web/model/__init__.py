"""A published model: its page, its test round."""
