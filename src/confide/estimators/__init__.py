"""The ways from counts to the truth that crowds, privacy statements and learners share."""
