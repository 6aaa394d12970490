"""The survey web app that cannot know the answers, and the stores that keep its reports."""
