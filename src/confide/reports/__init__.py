"""What a report is: the bytes that travel, the record that is kept, and the stores that keep it."""
