"""`python -m traf`."""

from traf.cli.main import main

if __name__ == "__main__":
    main()
