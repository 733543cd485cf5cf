"""traf repairs the waits of flaky JavaScript web tests and shows the evidence."""

__version__ = "0.1.0"
