"""`python -m traf`."""

from traf.cli.entry import main

if __name__ == "__main__":
    main()
