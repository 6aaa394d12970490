"""A learned tree for people and for other programs: text, picture, Graphviz, SQL, browser."""
