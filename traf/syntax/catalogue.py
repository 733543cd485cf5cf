"""The wait APIs as data: one TOML file per framework under `wait_apis/`, one row per API.

To add an API, add a row; to add a framework, add a file. `Table` and `Row` say what their keys mean.
"""

from __future__ import annotations

import fnmatch
import re
import tomllib
from dataclasses import dataclass, field, fields
from functools import cache, cached_property
from importlib.resources import files
from typing import TYPE_CHECKING, Any, Literal

from traf.syntax.model import WaitKind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from traf.syntax.callee import Callee
    from traf.syntax.model import Context
    from traf.syntax.source import Source


@dataclass(frozen=True)
class Row:
    """One API.

    `names` are the last names of the call (`*` allowed; `()` calls the result of a call, as in `test.each(table)(name, fn)`),
    `on` what they are called on: "" a bare name, "expect()" the result of that call, "**" anything, "**.clock" anything
    that ends so; `not_on` are exceptions. `modules` (key `from`) are where the first name must come from.

    `time` is where the time may stand: "0" an argument, "1.timeout" a key of one, "last.timeout" a key of the options after
    at least `args` arguments. It is added at the first of them; `fill` stands in for arguments that are skipped.
    `unit` is "ms" or "s"; `default` the ms in force when no time is written (without it, a call without a time is no wait);
    `default_keys` the project's configured defaults, the first known one counts; `zero` what 0 means.

    `ignored` is where a time has no effect, though people write it there.

    `needs` are conditions of `traf.syntax.checks`. `block`: the call surrounds a test's code, whose lines do not mean it.
    `action`: it acts on the page. `promise`: it must be awaited. `refuse`: why its time cannot be edited. `warn`: what a
    reviewer would want to know.
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
    needs: tuple[str, ...] = ()
    block: bool = False
    action: bool = False
    promise: bool = False
    refuse: str | None = None
    warn: str | None = None

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
    """A time in a configuration file: file name patterns, the dotted key, its kind, and the framework's default in ms."""

    framework: str
    files: tuple[str, ...]
    key: str
    kind: WaitKind
    default: float


@dataclass(frozen=True)
class Table:
    """The APIs of one framework, and when they apply. The rows are read when a file is met to which they apply.

    They apply to a file that imports one of `modules` (`*` allowed), that mentions one of `globals` while the project's
    framework is unknown or one of `projects`, and always where `always` says so. `modifiers` are members of a chain that
    change nothing about time. `objects` are links of a chain that show a call to be the framework's where its result is
    not awaited; without them such a call of an API on "**" may be anybody's.
    """

    framework: str
    text: str
    projects: frozenset[str] = frozenset()
    modules: tuple[str, ...] = ()
    globals: tuple[str, ...] = ()
    modifiers: frozenset[str] = frozenset()
    objects: tuple[str, ...] = ()
    always: bool = False

    @cached_property
    def _data(self) -> dict[str, Any]:
        return tomllib.loads(self.text)

    @cached_property
    def rows(self) -> tuple[Row, ...]:
        """The APIs."""
        groups, rows = self._data.get("group", {}), self._data.get("api", ())
        return tuple(_row(self, {**groups.get(row.get("group"), {}), **row}) for row in rows)

    @cached_property
    def config(self) -> tuple[ConfigRow, ...]:
        """The times of configuration files."""
        return tuple(
            ConfigRow(self.framework, tuple(row["files"]), row["key"], WaitKind(row["kind"]), row["default"])
            for row in self._data.get("config", ())
        )

    @cached_property
    def _by_name(self) -> tuple[dict[str, list[Row]], list[Row]]:
        exact: dict[str, list[Row]] = {}
        patterns = []
        for row in self.rows:
            for name in row.names:
                if "*" in name:
                    patterns.append(row)
                else:
                    exact.setdefault(name, []).append(row)
        return exact, patterns

    def rows_for(self, name: str) -> Iterator[Row]:
        """The rows that a call of this name may match."""
        exact, patterns = self._by_name
        yield from exact.get(name, ())
        yield from patterns

    def has_member(self, name: str) -> bool:
        """Whether a call `x.name()` may match a row."""
        exact, patterns = self._by_name
        return name in exact or any(row.takes_members and row.named(name) for row in patterns)

    def shows(self, parts: tuple[str, ...]) -> bool:
        """Whether a chain has a link that only this framework has; so it is where the table names none."""
        pattern = _pattern(self.objects)
        return not self.objects or any(pattern.fullmatch(part) for part in parts)

    def imported_by(self, modules: frozenset[str]) -> bool:
        """Whether one of these specifiers is the framework's."""
        pattern = _pattern(self.modules)
        return any(pattern.fullmatch(module) for module in modules)

    def mentioned_in(self, data: bytes) -> bool:
        """Whether a file's text mentions one of the framework's globals."""
        return bool(self.globals) and bool(_words(self.globals).search(data))


@cache
def _words(words: tuple[str, ...]) -> re.Pattern[bytes]:
    return re.compile(rb"\b(?:" + b"|".join(re.escape(word.encode()) for word in words) + rb")\b")


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
    ranked = []
    for table in tables():
        ours = context.framework in table.projects
        if table.imported_by(modules):
            rank = 0
        elif ours and (not table.globals or table.mentioned_in(source.data)):
            rank = 1
        elif context.framework is None and table.mentioned_in(source.data):
            rank = 2
        elif table.always:
            rank = 3
        else:
            continue
        ranked.append((rank, table))
    return tuple(table for _rank, table in sorted(ranked, key=lambda pair: pair[0]))


def candidates(tables: tuple[Table, ...], callee: Callee) -> Iterator[tuple[Table, Row]]:
    """The rows whose shape a call has, best first."""
    for table in tables:
        on = callee.on(table.modifiers)
        for row in table.rows_for(callee.name):
            if row.matches(on, callee.name):
                yield table, row


def _table(text: str) -> Table:
    """The table of a file, of which only the keys before its first section are read yet."""
    head = tomllib.loads(text.partition("\n[")[0])
    return Table(
        framework=head["framework"],
        text=text,
        projects=frozenset(head.get("projects", ())),
        modules=tuple(head.get("modules", ())),
        globals=tuple(head.get("globals", ())),
        modifiers=frozenset(head.get("modifiers", ())),
        objects=tuple(head.get("objects", ())),
        always=head.get("always", False),
    )


def _row(table: Table, data: dict[str, Any]) -> Row:
    known = {f.name for f in fields(Row)} - {"modules", "framework"}
    unknown = set(data) - known - {"group", "from"}
    if unknown:
        raise ValueError(
            f"wait APIs of {table.framework}: unknown keys {sorted(unknown)} in the row of {data.get('names')}"
        )
    values: dict[str, Any] = {key: data[key] for key in known & set(data)}
    values |= {key: tuple(value) for key, value in values.items() if isinstance(value, list)}
    values["kind"] = WaitKind(values["kind"])
    return Row(framework=table.framework, modules=tuple(data.get("from", table.modules)), **values)


def config_rows(file_name: str) -> Iterator[ConfigRow]:
    """The times that a configuration file of this name may set."""
    for table in tables():
        if ".config." not in file_name:
            return
        for row in table.config:
            if any(fnmatch.fnmatchcase(file_name, pattern) for pattern in row.files):
                yield row
