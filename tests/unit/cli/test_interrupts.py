"""A signal ends a command once, and is not lost where a library swallows the exception."""

from __future__ import annotations

import contextlib
import os
import signal

import click
import pytest

from traf.cli import main
from traf.cli.interrupts import Interrupted, interruptible, raise_if_interrupted


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_the_first_signal_raises_and_later_ones_wait(number: signal.Signals) -> None:
    with pytest.raises(Interrupted) as caught, interruptible():  # noqa: PT012 - the second signal is the point
        try:
            os.kill(os.getpid(), number)
        finally:
            os.kill(os.getpid(), number)
    assert caught.value.exit_code == 128 + number


def test_a_swallowed_signal_is_raised_again() -> None:
    with interruptible():
        with contextlib.suppress(BaseException):
            os.kill(os.getpid(), signal.SIGTERM)
        with pytest.raises(Interrupted):
            raise_if_interrupted()
    with interruptible():
        raise_if_interrupted()  # a new command starts clean


def test_an_exception_made_of_a_signal_still_ends_as_one(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    @click.command()
    def cli() -> None:
        with interruptible():
            try:
                os.kill(os.getpid(), signal.SIGINT)
            except BaseException:  # noqa: BLE001 - as an extension module's initialisation does
                raise ImportError("initialization failed") from None

    monkeypatch.setattr(main, "cli", cli)
    assert main.run([]) == 130
    assert capsys.readouterr().err == "traf: interrupted; nothing was changed\n"
