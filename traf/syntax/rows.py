"""The rows of the wait API tables: one API, or one setting of a configuration file, each."""

from __future__ import annotations

import fnmatch
import re
from dataclasses import dataclass, field
from functools import cache, cached_property
from typing import Literal

from traf.syntax.model import WaitKind
from traf.syntax.slots import Slot


@dataclass(frozen=True)
class Row:
    """One API.

    `names` are the last names of the call (`*` allowed; `()` calls the result of a call, as in `test.each(table)(name, fn)`),
    `on` what they are called on: "" a bare name, "expect()" the result of that call, "**" anything, "**.clock" anything
    that ends so; `not_on` are exceptions. `modules` (key `from`) are where the first name must come from.

    `time` are the places where the time may stand, as `traf.syntax.slots` writes them: "0" an argument, "1.timeout" a key of
    one, "last.timeout" a key of the options after at least `args` arguments. It is added to options that are there, else at
    the first place that can take it; `fill` stands in for arguments that are skipped, `object` names the arguments where they
    become the keys of one options object instead, by their number.
    `unit` is "ms" or "s"; `default` the ms in force when no time is written (without it, a call without a time is no wait;
    `nan`: nobody can tell); `default_keys` the project's configured defaults, the first known one counts; `zero` what 0 means.

    `ignored` is where a time has no effect, though people write it there.

    `needs` are conditions of `traf.syntax.checks`. `block`: the call surrounds a test's code, whose lines do not mean it.
    `query`: of the calls in one chain, it is this one that what comes after it waits on. `action`: it acts on the page.
    `promise`: it must be awaited, with `sync` only in an asynchronous function, because older versions of the framework queue
    their commands; `queued`: nothing is awaited, it runs in its turn. `refuse`: why its time cannot be edited. `warn`: what a
    reviewer would want to know. `void_in_tests`: why it does nothing for the test that it stands in, and, with
    `void_in_hooks`, for a hook either.

    Some are no calls: `assigned` is an assignment to `on.name`, `made` is `new name()`, `listed` is each list among the
    members of the object that such a call is given, whose items are as its arguments.

    `sets` are the defaults that the times at `time` replace, one for each, where a file is loaded (`jest.setTimeout()`), or,
    where it `derives`, for what is called on the name that its result is given (`const slow = expect.configure()`).
    """

    framework: str
    names: tuple[str, ...]
    on: tuple[str, ...]
    kind: WaitKind
    time: tuple[str, ...] = ()
    not_on: tuple[str, ...] = ()
    modules: tuple[str, ...] = ()
    ignored: tuple[str, ...] = ()
    args: int = 0
    fill: dict[str, str] = field(default_factory=dict)
    unit: Literal["ms", "s"] = "ms"
    default: float | None = None
    default_keys: tuple[str, ...] = ()
    zero: Literal["none", "unbounded"] = "none"
    object: tuple[tuple[str, ...], ...] = ()
    needs: tuple[str, ...] = ()
    block: bool = False
    query: bool = False
    action: bool = False
    promise: bool = False
    sync: bool = False
    assigned: bool = False
    made: bool = False
    listed: bool = False
    refuse: str | None = None
    warn: str | None = None
    queued: bool = False
    void_in_tests: str | None = None
    void_in_hooks: bool = False
    sets: tuple[str, ...] = ()
    derives: bool = False

    @property
    def is_call(self) -> bool:
        """Whether the API is a call, and the time one of its arguments or near it."""
        return not (self.assigned or self.made or self.listed)

    @cached_property
    def slots(self) -> tuple[Slot, ...]:
        """The places of `time`."""
        return tuple(map(Slot.of, self.time))

    @property
    def factor(self) -> float:
        """The ms of one unit."""
        return 1000.0 if self.unit == "s" else 1

    @cached_property
    def _names(self) -> re.Pattern[str]:
        return pattern(self.names)

    @cached_property
    def _on(self) -> re.Pattern[str]:
        return pattern(self.on)

    @cached_property
    def _not_on(self) -> re.Pattern[str] | None:
        return pattern(self.not_on) if self.not_on else None

    @cached_property
    def _modules(self) -> re.Pattern[str]:
        return pattern(self.modules)

    @property
    def takes_members(self) -> bool:
        """Whether the API may be called on something."""
        return self.on != ("",)

    def named(self, name: str) -> bool:
        """Whether a call's last name is one of the row's."""
        return bool(self._names.fullmatch(name))

    def matches(self, on: str, name: str) -> bool:
        """Whether a call of `name` on `on` has the shape of this row."""
        if not self.named(name) or not self._on.fullmatch(on):
            return False
        return self._not_on is None or not self._not_on.fullmatch(on)

    def comes_from(self, module: str) -> bool:
        """Whether the first name may come from a module."""
        return bool(self._modules.fullmatch(module))


@dataclass(frozen=True, slots=True)
class ConfigRow:
    """A time in a configuration file.

    `files` are patterns of its name, `key` the dotted path to it (with `anywhere`, the end of one), `default` the framework's
    own value in ms. `sets` is the name under which `default_keys` of a `Row` refer to it.
    """

    framework: str
    files: tuple[str, ...]
    key: str
    kind: WaitKind
    default: float | None = None
    sets: str | None = None
    unit: Literal["ms", "s"] = "ms"
    anywhere: bool = False
    warn: str | None = None

    def is_in(self, file_name: str) -> bool:
        """Whether a file of this name may set it."""
        return any(fnmatch.fnmatchcase(file_name, pattern) for pattern in self.files)


@cache
def pattern(globs: tuple[str, ...]) -> re.Pattern[str]:
    """One pattern for several globs over dotted names: `**` is one part or more, `*` stays within a part."""
    parts = []
    for glob in globs:
        one = "".join(
            r".+" if piece == "**" else r"[^.]*" if piece == "*" else re.escape(piece)
            for piece in re.split(r"(\*\*|\*)", glob)
        )
        # "**.page" must also stand for a bare "page".
        parts.append(one.replace(r".+\.", r"(?:.+\.)?", 1) if glob.startswith("**.") else one)
    return re.compile("|".join(parts) if parts else r"(?!)")
