"""Other tools' forms taken over as far as they go, with a word about all that is not."""
