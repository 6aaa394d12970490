"""Survey files of every format, read into plain values and written from them."""

PREFER_NOT = "prefer not to say"
"""The option that ``missing = "option"`` adds to a question, as files and reports write it."""

MOST_QUESTIONS = 1_000
"""As many questions a survey file may ask."""
