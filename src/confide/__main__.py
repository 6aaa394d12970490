"""`python -m confide` is the command line, where the program `confide` is not on the path."""

from confide.cli import main

if __name__ == "__main__":
    main()
