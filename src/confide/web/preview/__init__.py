"""A survey that is still being written, as a respondent will see it; nothing is stored."""
