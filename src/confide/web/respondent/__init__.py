"""What respondents reach: the page, the report they send, the receipt."""
