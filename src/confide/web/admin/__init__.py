"""What the administrator reaches: results, exports, models, access."""
