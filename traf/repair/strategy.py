"""Makes the patch that gives one wait a new time, and raises the test's own limit where the new bound would not fit."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from traf.repair.model import Patch
from traf.syntax import apply_edits, edits_for, fit_limit, unified_diff
from traf.syntax.model import Context, MsFrom, WaitSite
from traf.syntax.source import Source


class DoesNotFitError(Exception):
    """The time exceeds the test's own limit, which cannot be raised here; the message says why."""


@dataclass(frozen=True, slots=True)
class Patcher:
    """Makes patches of one site. Calling it gives the patch for a time in ms; `diff_path` is the file that its diff names."""

    source: Source
    site: WaitSite
    context: Context
    diff_path: str

    def __call__(self, ms: float) -> Patch:
        """The patch that gives the site the time `ms`.

        Raises:
            DoesNotFitError: when the test's limit would have to be raised and cannot be.
            BadInput: when the site cannot be edited.
        """
        fit = fit_limit(self.source, self.site, ms, self.context)
        # A call without a bound waits until the test's limit: raising that is all it needs.
        unbounded = self.site.ms_from is MsFrom.UNBOUNDED
        edits = () if unbounded else edits_for(self.source, self.site, ms, self.context)
        if not fit.fits and not fit.possible:
            raise DoesNotFitError(fit.reason or f"{ms:g} ms do not fit into the test's own limit")
        if not fit.fits:
            edits = (*edits, *fit.edits)
        data = apply_edits(self.source.data, edits)
        diff = unified_diff(self.diff_path, self.source.data, data)
        limit = fit.raised_ms if fit.raised_ms is not None else fit.limit_ms
        return Patch(
            path=self.source.file,
            ms=ms,
            data=data,
            diff=diff,
            raised_limit_ms=None if fit.fits else fit.raised_ms,
            allowed_ms=max(fit.needed_ms, limit or 0),
        )


Patching = Callable[[float], Patch]
