"""What fixed sleeps cost: the ms that one run of a file's tests spends in them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from traf.syntax.blocks import enclosing_blocks, served_by
from traf.syntax.model import WaitKind

if TYPE_CHECKING:
    from collections.abc import Iterable

    from traf.syntax.model import WaitSite
    from traf.syntax.source import Source


def slept_ms(source: Source, sites: Iterable[WaitSite]) -> float:
    """The ms that one run of all tests of a file sleeps at these sites, as far as the text tells.

    A sleep in a test counts once, one in a hook for each test that the hook serves, one in a helper where it is called.
    Loops and generated tests count once.
    """
    return sum(site.ms * _times(source, site) for site in sites if site.kind is WaitKind.FIXED_SLEEP and site.ms)


def _times(source: Source, site: WaitSite) -> int:
    block, call = next(
        ((block, call) for block, call in enclosing_blocks(source, site.start) if block.kind != "describe"),
        (None, None),
    )
    if block is None or call is None:
        return 0
    if block.kind == "test":
        return 1
    name = source.text(call.child_by_field_name("function") or call)
    return len(served_by(source, block)) if name.endswith("Each") else 1
