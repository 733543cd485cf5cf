"""The command `traf`: finds the subcommand, and turns every error into one line and an exit code."""

from __future__ import annotations

import contextlib
import importlib
import os
import traceback

import click

from traf import __version__
from traf.cli.interrupts import Interrupted, raise_if_interrupted
from traf.core.errors import CannotRun, InternalError, TrafError

# A command's module is imported only when it is called: `traf --help` prints this table.
COMMANDS = {
    "candidates": ("traf.cli.candidates", "Rank the times to try for a wait, without running anything."),
    "edit": ("traf.cli.edit", "Give one wait another time, without running anything."),
    "evaluate": ("traf.cli.evaluate", "Judge suggestions on real fixes."),
    "repair": ("traf.cli.repair", "Repair a flaky wait by rerunning its test with likely times."),
    "waits": ("traf.cli.waits", "List the waits of test files, with their times."),
}
_OUTPUT_LINES = 20


class _Commands(click.Group):
    def list_commands(self, _ctx: click.Context) -> list[str]:
        return sorted(COMMANDS)

    def get_command(self, _ctx: click.Context, name: str) -> click.Command | None:
        if name not in COMMANDS:
            return None
        command: click.Command = importlib.import_module(COMMANDS[name][0]).command
        return command

    def format_commands(self, _ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, COMMANDS[name][1]) for name in sorted(COMMANDS)])


@click.group(
    cls=_Commands,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="Exit codes: 0 done, 1 nothing to hand over, 2 bad input, 3 the tests cannot be run here, 4 internal error.",
)
@click.version_option(__version__, prog_name="traf")
def cli() -> None:
    """Repair the waits of flaky JavaScript web tests, and show the evidence."""


def run(arguments: list[str] | None = None) -> int:
    """Run the command line; gives the exit code and never raises.

    0 done, 1 nothing to hand over, 2 bad input, 3 cannot run here, 4 internal error, 128 + n after signal n.
    """
    if os.name == "nt":
        _complain("traf runs on Linux and macOS; on Windows, use it inside WSL")
        return CannotRun.exit_code
    try:
        status = cli.main(arguments, prog_name="traf", standalone_mode=False)
        return status if isinstance(status, int) else 0
    except click.UsageError as error:
        hint = f" (see `{error.ctx.command_path} --help`)" if error.ctx else ""
        _complain(" ".join(error.format_message().split()) + hint)
        return 2
    except TrafError as error:
        _complain(str(error))
        if isinstance(error, CannotRun):
            _quote(error.output)
        return error.exit_code
    except (KeyboardInterrupt, click.Abort, Interrupted) as stop:
        _complain("interrupted; nothing was changed")
        return stop.exit_code if isinstance(stop, Interrupted) else 130
    except Exception as error:  # noqa: BLE001 - the last resort: one line instead of a traceback
        return _unexpected(error)


def _unexpected(error: Exception) -> int:
    """Report what should not have happened, unless it is what became of a signal; gives the exit code."""
    try:
        raise_if_interrupted()
    except Interrupted as stop:
        _complain("interrupted; nothing was changed")
        return stop.exit_code
    if os.environ.get("TRAF_DEBUG"):
        traceback.print_exception(error)
    where = traceback.extract_tb(error.__traceback__)[-1]
    what = f"{type(error).__name__}: {error} ({os.path.basename(where.filename)}:{where.lineno})"  # noqa: PTH119
    _complain(f"internal error: {what}; please report it (TRAF_DEBUG=1 shows the traceback)")
    return InternalError.exit_code


def _complain(message: str) -> None:
    from traf.report.printable import printable  # noqa: PLC0415 - only where something went wrong

    with contextlib.suppress(OSError):
        click.echo(f"traf: {printable(message)}", err=True)


def _quote(output: str) -> None:
    """Show the end of what a framework printed, indented."""
    from traf.report.printable import printable  # noqa: PLC0415 - only where something went wrong

    with contextlib.suppress(OSError):
        for line in output.strip().splitlines()[-_OUTPUT_LINES:]:
            click.echo(f"  | {printable(line.expandtabs())}", err=True)
