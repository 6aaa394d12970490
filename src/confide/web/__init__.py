"""The survey web app that cannot know the answers."""
