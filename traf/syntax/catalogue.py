"""The wait APIs as data: one TOML file per framework under `wait_apis/`, one row per API.

To add an API, add a row; to add a framework, add a file. `Table` and `Row` say what their keys mean.
"""

from __future__ import annotations

import fnmatch
import re
import tomllib
from dataclasses import dataclass, field, fields, replace
from functools import cache, cached_property
from importlib.resources import files
from typing import TYPE_CHECKING, Any, Literal

from traf.syntax.model import WaitKind
from traf.syntax.slots import Slot

if TYPE_CHECKING:
    from collections.abc import Iterator

    from traf.syntax.callee import Callee
    from traf.syntax.model import Context
    from traf.syntax.source import Source


_NAMED = 4
_WORD = re.compile(r"\w+")
_MAYBE_CONFIG = re.compile(
    r"\.(?:config|conf|shared|stories|story)\.|rc\.|^preview\.|globals\.|^intern\.|^[\w-]+(?:config|conf)\.", re.IGNORECASE
)
# File names that no `files` of a `[[config]]` row could match are told without reading the tables.


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
    their commands; `queued`: nothing is awaited, it runs in its turn. `assigned`: it is no call, but an assignment to
    `on.name`. `refuse`: why its time cannot be edited. `warn`: what a reviewer would want to know. `void_in_tests`: why it
    does nothing for the test that it stands in, and, with `void_in_hooks`, for a hook either.

    `sets` are the defaults that the times at `time` replace, one for each, where a file is loaded (`jest.setTimeout()`).
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
    refuse: str | None = None
    warn: str | None = None
    queued: bool = False
    void_in_tests: str | None = None
    void_in_hooks: bool = False
    sets: tuple[str, ...] = ()

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
        return _pattern(self.names)

    @cached_property
    def _on(self) -> re.Pattern[str]:
        return _pattern(self.on)

    @cached_property
    def _not_on(self) -> re.Pattern[str] | None:
        return _pattern(self.not_on) if self.not_on else None

    @cached_property
    def _modules(self) -> re.Pattern[str]:
        return _pattern(self.modules)

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


@dataclass(frozen=True)
class Table:
    """The APIs of one framework, and when they apply. The rows are read when a file is met to which they apply.

    They apply to a file that imports one of `modules` (`*` allowed), that mentions one of `globals` while the project's
    framework is unknown or one of `projects`, that mentions one of `globals` or `names` while the project depends on one of
    `packages` (else of `modules`), and always where `always` says so. It brings the tests themselves where `runner` is "*" or
    one of these modules is imported; the tables of two such frameworks do not apply to one file. `signs` are words that no
    other framework's tests have; where they are `certain`, they count more than what the project uses. `modifiers` are
    members of a chain that change nothing about time. `objects` are links of a chain that show a call to be the framework's
    where its result is not awaited; without them such a call of an API on "**" may be anybody's.

    `sleep` is how its tests sleep, with `{time}` in `sleep_unit` and with `{it}` for a name of the file that is one of
    `sleep_on`; "await? " awaits it only in a function that is asynchronous already; `sleep_link` is the
    name of a sleep as a link in a chain of its commands. `registers` are the calls that add a
    command of the project's own, to be called on one of `registered_on`. `queued`: its commands run one after the other,
    without being awaited.

    `library` is what the framework is called, and which modules bring it, where it is used without its tests: there
    (`alone`), the `library_default` of a row is its default. `guessed`: only one of `names` speaks for it, and so must each
    call.
    """

    framework: str
    text: str
    projects: frozenset[str] = frozenset()
    packages: tuple[str, ...] = ()
    modules: tuple[str, ...] = ()
    globals: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    signs: tuple[str, ...] = ()
    modifiers: frozenset[str] = frozenset()
    objects: tuple[str, ...] = ()
    sleep: str | None = None
    sleep_on: tuple[str, ...] = ()
    sleep_unit: Literal["ms", "s"] = "ms"
    sleep_link: str | None = None
    registers: tuple[str, ...] = ()
    registered_on: tuple[str, ...] = ()
    queued: bool = False
    certain: bool = False
    runner: tuple[str, ...] = ()
    library: dict[str, Any] = field(default_factory=dict)
    alone: bool = False
    guessed: bool = False
    always: bool = False

    @cached_property
    def as_library(self) -> Table:
        """The table for a file whose tests are another framework's."""
        return replace(self, framework=self.library["framework"], alone=True, runner=())

    @cached_property
    def as_guess(self) -> Table:
        """The table for a file that shows no more than a name of the framework's."""
        return replace(self, guessed=True)

    @cached_property
    def _data(self) -> dict[str, Any]:
        return tomllib.loads(self.text)

    @cached_property
    def rows(self) -> tuple[Row, ...]:
        """The APIs."""
        groups, rows = self._data.get("group", {}), self._data.get("api", ())
        found = tuple(_row(self, {**groups.get(row.get("group"), {}), **row}) for row in rows)
        return tuple(row for row in found if not (self.alone and row.kind is WaitKind.TEST_TIMEOUT))

    @cached_property
    def config(self) -> tuple[ConfigRow, ...]:
        """The times of configuration files."""
        return tuple(
            ConfigRow(self.framework, **{**row, "files": tuple(row["files"]), "kind": WaitKind(row["kind"])})
            for row in self._data.get("config", ())
        )

    @cached_property
    def assigned(self) -> tuple[Row, ...]:
        """The rows that are about assignments."""
        return tuple(row for row in self.rows if row.assigned)

    @cached_property
    def setters(self) -> frozenset[str]:
        """The names of calls that set a default."""
        return frozenset(name for row in self.rows if row.sets and not row.assigned for name in row.names)

    @cached_property
    def _by_name(self) -> tuple[dict[str, list[Row]], list[Row]]:
        exact: dict[str, list[Row]] = {}
        patterns = []
        for row in self.rows:
            for name in () if row.assigned else row.names:
                if "*" in name:
                    patterns.append(row)
                else:
                    exact.setdefault(name, []).append(row)
        return exact, patterns

    @cached_property
    def _named(self) -> dict[str, tuple[Row, ...]]:
        return {}

    def rows_for(self, name: str) -> tuple[Row, ...]:
        """The rows that a call of this name may match."""
        found = self._named.get(name)
        if found is None:
            exact, patterns = self._by_name
            found = self._named[name] = (*exact.get(name, ()), *(row for row in patterns if row.named(name)))
        return found

    def has_member(self, name: str) -> bool:
        """Whether a call `x.name()` may match a row."""
        return any(row.takes_members for row in self.rows_for(name))

    def shows(self, parts: tuple[str, ...]) -> bool:
        """Whether a chain has a link that only this framework has; so it is where the table names none."""
        pattern = _pattern(self.objects)
        return not self.objects or any(pattern.fullmatch(part) for part in parts)

    def names_one_of(self, parts: tuple[str, ...]) -> bool:
        """Whether a chain has one of the table's `names` as a link."""
        return any(part.removesuffix("()") in self.names for part in parts)

    def registers_by(self, name: str) -> bool:
        """Whether a call of this dotted name adds a command of the project's own."""
        return bool(_pattern(self.registers).fullmatch(name))

    def has_registered(self, on: str) -> bool:
        """Whether commands of the project's own are called on this."""
        return bool(_pattern(self.registered_on).fullmatch(on))

    def wanted_by(self, dependencies: frozenset[str]) -> bool:
        """Whether one of these packages brings the framework."""
        pattern = _pattern(self.packages or self.modules)
        return any(pattern.fullmatch(package) for package in dependencies)

    def sleeps_on(self, name: str) -> bool:
        """Whether something of this name can sleep."""
        return bool(_pattern(self.sleep_on).fullmatch(name))

    def runs(self, modules: frozenset[str]) -> bool:
        """Whether it would bring the tests of a file that imports these modules."""
        pattern = _pattern(self.runner)
        return "*" in self.runner or any(pattern.fullmatch(module) for module in modules)

    def is_alone(self, modules: frozenset[str], context: Context) -> bool:
        """Whether a file that imports these modules uses it as a library, in the tests of another framework or in none."""
        if not self.library or context.framework in self.projects:
            return False
        known = context.framework is not None
        return known or not (self.runs(modules) or modules.isdisjoint(self.library["modules"]))

    def imported_by(self, modules: frozenset[str]) -> bool:
        """Whether one of these specifiers is the framework's."""
        pattern = _pattern(self.modules)
        return any(pattern.fullmatch(module) for module in modules)

    def mentioned_in(self, source: Source) -> bool:
        """Whether a file's text mentions one of the framework's globals."""
        return _mentions(source, self.globals)

    def shown_in(self, source: Source) -> bool:
        """Whether a file's text has a word that only this framework's tests have."""
        return _mentions(source, self.signs)


def _mentions(source: Source, words: tuple[str, ...]) -> bool:
    """Whether a file's text has one of these words."""
    # Most words of most tables are in no file: those are told by the file's set of words, at the cost of one look.
    known = source.words
    likely = tuple(word for word in words if all(part in known for part in _WORD.findall(word)))
    return bool(likely) and bool(_words(likely).search(source.data))


@cache
def _words(words: tuple[str, ...]) -> re.Pattern[bytes]:
    return re.compile(rb"(?<!\w)(?:" + b"|".join(re.escape(word.encode()) for word in words) + rb")(?!\w)")


@cache
def _pattern(globs: tuple[str, ...]) -> re.Pattern[str]:
    """One pattern for several globs over dotted names: `**` is one part or more, `*` stays within a part."""
    parts = []
    for glob in globs:
        pattern = "".join(
            r".+" if piece == "**" else r"[^.]*" if piece == "*" else re.escape(piece)
            for piece in re.split(r"(\*\*|\*)", glob)
        )
        # "**.page" must also stand for a bare "page".
        parts.append(pattern.replace(r".+\.", r"(?:.+\.)?", 1) if glob.startswith("**.") else pattern)
    return re.compile("|".join(parts) if parts else r"(?!)")


@cache
def tables() -> tuple[Table, ...]:
    """All tables, read once."""
    folder = files("traf.syntax") / "wait_apis"
    found = sorted((entry for entry in folder.iterdir() if entry.name.endswith(".toml")), key=lambda entry: entry.name)
    return tuple(_table(entry.read_text(encoding="utf-8")) for entry in found)


def tables_for(source: Source, modules: frozenset[str], context: Context) -> tuple[Table, ...]:
    """The tables that apply to a file which imports `modules`: what it imports first, then the project's framework."""
    key = ("tables", modules, context.framework, context.dependencies)
    found = source.memo.get(key)
    if not isinstance(found, tuple):
        ranked = [(rank, table) for table in tables() if (rank := _rank(table, source, modules, context)) is not None]
        ordered = [
            _as_used(table, rank, modules, context) for rank, table in sorted(ranked, key=lambda pair: pair[0])
        ]
        runner = next((table for table in ordered if table.runs(modules)), None)
        found = source.memo[key] = tuple(table for table in ordered if table is runner or not table.runs(modules))
    return found


def _as_used(table: Table, rank: int, modules: frozenset[str], context: Context) -> Table:
    """The table as it applies to a file to which it is so near."""
    used = table.as_library if table.is_alone(modules, context) else table
    return used.as_guess if rank == _NAMED else used


def _rank(table: Table, source: Source, modules: frozenset[str], context: Context) -> int | None:
    """How near a table is to a file, 0 nearest; None where it does not apply."""
    shown, mentioned, unknown = table.shown_in(source), table.mentioned_in(source), context.framework is None
    ours, wanted = context.framework in table.projects, table.wanted_by(context.dependencies)
    reasons = (
        table.imported_by(modules),
        table.certain and shown,
        ours and (mentioned or not table.globals),
        wanted and mentioned,
        wanted and _mentions(source, table.names),
        shown,
        # A word that several frameworks have says less of one whose own words are missing.
        unknown and mentioned and not table.signs,
        unknown and mentioned,
        table.always,
    )
    return next((rank for rank, holds in enumerate(reasons) if holds), None)


def candidates(tables: tuple[Table, ...], callee: Callee) -> Iterator[tuple[Table, Row]]:
    """The rows whose shape a call has, best first."""
    for table in tables:
        rows = table.rows_for(callee.name)
        on = callee.on(table.modifiers) if rows else ""
        for row in rows:
            if row.matches(on, callee.name):
                yield table, row


def _table(text: str) -> Table:
    """The table of a file, of which only the keys before its first section are read yet."""
    head = tomllib.loads(text.partition("\n[")[0])
    sets = {key: frozenset(head.pop(key, ())) for key in ("projects", "modifiers")}
    lists = {key: tuple(value) for key, value in head.items() if isinstance(value, list)}
    return Table(text=text, **{**head, **lists, **sets})


def _row(table: Table, data: dict[str, Any]) -> Row:
    known = {f.name for f in fields(Row)} - {"modules", "queued"}
    unknown = set(data) - known - {"group", "from", "library_default"}
    if unknown:
        raise ValueError(
            f"wait APIs of {table.framework}: unknown keys {sorted(unknown)} in the row of {data.get('names')}"
        )
    values: dict[str, Any] = {key: data[key] for key in known & set(data)}
    values |= {key: tuple(value) for key, value in values.items() if isinstance(value, list)}
    values["object"] = tuple(map(tuple, data.get("object", ())))
    values["kind"] = WaitKind(values["kind"])
    if table.alone and "library_default" in data:
        values |= {"default": data["library_default"], "default_keys": ()}
    of_table = {"framework": table.framework, "queued": table.queued, "modules": tuple(data.get("from", table.modules))}
    return Row(**{**of_table, **values})


def config_rows(file_name: str) -> Iterator[ConfigRow]:
    """The times that a configuration file of this name may set."""
    if not _MAYBE_CONFIG.search(file_name):
        return
    for table in tables():
        yield from (row for row in table.config if row.is_in(file_name))
