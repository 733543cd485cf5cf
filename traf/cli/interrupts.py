"""Ends a command in good order on a signal: it becomes an exception, so that everything opened is closed."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class Interrupted(BaseException):
    """A signal asked for the end; `exit_code` is 128 + its number."""

    def __init__(self, number: int) -> None:
        super().__init__(f"signal {number}")
        self.exit_code = 128 + number


_received: list[int] = []


def raise_if_interrupted() -> None:
    """Raise Interrupted again if a signal has come: a library that was being imported may have swallowed the first one.

    Extension modules turn any exception of their initialisation into an ImportError, which some importers then ignore.
    """
    if _received:
        raise Interrupted(_received[0])


@contextmanager
def interruptible() -> Iterator[None]:
    """Raise Interrupted at the first SIGINT, SIGTERM or SIGHUP; later ones wait for the clean-up, which is bounded in time."""
    before = {number: signal.getsignal(number) for number in _SIGNALS}
    _received.clear()

    def stop(number: int, _frame: FrameType | None) -> None:
        for each in _SIGNALS:
            signal.signal(each, signal.SIG_IGN)
        _received.append(number)
        raise Interrupted(number)

    for number in _SIGNALS:
        # Under nohup a hang-up stays ignored. A shell without job control also has its background commands ignore SIGINT,
        # but who sends that to a repair means it.
        if number != signal.SIGHUP or before[number] is not signal.SIG_IGN:
            signal.signal(number, stop)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
