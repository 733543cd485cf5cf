"""Writes results: to standard output or a file, and a patch into the user's tree when that was asked for."""

from __future__ import annotations

import contextlib
import os
import stat
import tempfile
from pathlib import Path

from traf.core.errors import BadInput, TrafError
from traf.report.printable import printable
from traf.rerun.signals import uninterrupted

_STDOUT = 1
_ANYONE_WRITES = stat.S_IWUSR | stat.S_IWGRP | stat.S_IWOTH


class ApplyRefused(TrafError):  # noqa: N818 - the name of what happened
    """The patch was made, but the file it belongs to has changed meanwhile."""

    exit_code = 1


def check_output(path: Path, spec: Path) -> None:
    """Refuse an output file that could not be written, before anything is run.

    Raises:
        BadInput: when it is a folder, lies in no folder, or is the spec itself.
    """
    if path.is_dir() or not path.parent.is_dir() or not os.access(path if path.exists() else path.parent, os.W_OK):
        raise BadInput(
            f"--output {path}: no file can be written there; name a file in an existing folder", slug="output"
        )
    if path.exists() and path.samefile(spec):
        raise BadInput(
            f"--output {path} is the spec itself: name another file (--apply changes the spec)", slug="output"
        )


def emit(text: str, output: Path | None) -> None:
    """Print `text`, byte for byte in UTF-8, or write it to the file `output` in one step.

    Raises:
        BadInput: when it cannot be written.
    """
    data = text.encode("utf-8", "surrogateescape")
    if output is not None:
        replace_file(output, data)
        return
    try:
        if os.isatty(_STDOUT):  # a terminal would obey control characters in names and source lines
            data = "\n".join(printable(line.expandtabs()) for line in text.split("\n")).encode("utf-8", "replace")
        while data:
            data = data[os.write(_STDOUT, data) :]
    except BrokenPipeError:
        return  # whoever read the output has seen enough; what was asked for beside it is still done
    except OSError as error:
        raise BadInput(f"standard output cannot be written: {error.strerror}", slug="not-writable") from error


def apply_patch(path: Path, before: bytes, after: bytes) -> None:
    """Write the patched spec, unless it is no longer what was read.

    Raises:
        ApplyRefused: when the file is read-only or changed meanwhile.
    """
    real = path.resolve()
    if real.is_file() and not real.stat().st_mode & _ANYONE_WRITES:
        raise ApplyRefused(f"{path} is read-only, so the diff in the output was not applied to it", slug="apply-locked")
    if not real.is_file() or real.read_bytes() != before:
        message = f"{path} changed while traf was running, so the diff in the output was not applied to it"
        raise ApplyRefused(message, slug="apply-changed")
    replace_file(real, after)


def replace_file(path: Path, data: bytes) -> None:
    """Give `path` new content in one step: readers see the old file or the new one; its mode stays.

    A link stays and its file is replaced; what is no regular file (a device, a pipe) is written to.

    Raises:
        BadInput: when it cannot be written.
    """
    try:
        path = path.resolve()
        if path.exists() and not path.is_file():
            path.write_bytes(data)
            return
        with uninterrupted():
            _replace(path, data)
    except OSError as error:
        raise BadInput(f"{path} cannot be written: {error.strerror}", slug="not-writable") from error


def _replace(path: Path, data: bytes) -> None:
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name[:100]}.traf-")
    part = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        part.chmod(stat.S_IMODE(path.stat().st_mode) if path.exists() else 0o666 & ~_umask())
        part.replace(path)
    except BaseException:
        with contextlib.suppress(OSError):
            part.unlink()
        raise


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
