"""The errors that traf reports in one line, each with the exit code that says what kind it is."""

from __future__ import annotations


class TrafError(Exception):
    """Anything that ends a command with one clear line instead of a traceback.

    The message says what is wrong, where, and what to do. `slug` names the message in docs and tests.
    """

    exit_code = 4

    def __init__(self, message: str, *, slug: str) -> None:
        super().__init__(message)
        self.slug = slug


class BadInput(TrafError):  # noqa: N818 - the name of the thing that went wrong
    """The command line names something that traf cannot work on; nothing was run or written."""

    exit_code = 2


class CannotRun(TrafError):  # noqa: N818 - the name of the thing that went wrong
    """The tests of this project cannot be run here; `output` is the end of what the framework printed, if anything."""

    exit_code = 3

    def __init__(self, message: str, *, slug: str, output: str = "") -> None:
        super().__init__(message, slug=slug)
        self.output = output


class InternalError(TrafError):
    """Traf or its shim broke a promise of its own."""
