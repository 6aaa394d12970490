"""Decision trees: growing, pruning and the classifier."""
