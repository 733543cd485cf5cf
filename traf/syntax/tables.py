"""The table of one framework: when it applies to a file, and which of its rows a call may match."""

from __future__ import annotations

import fnmatch
import re
import tomllib
from dataclasses import dataclass, field, fields, replace
from functools import cache, cached_property
from typing import TYPE_CHECKING, Any, Literal

from traf.syntax.model import WaitKind
from traf.syntax.rows import ConfigRow, Row, pattern

if TYPE_CHECKING:
    from traf.syntax.model import Context
    from traf.syntax.source import Source

_WORD = re.compile(r"\w+")


@dataclass(frozen=True)
class Table:
    """The APIs of one framework, and when they apply. The rows are read when a file is met to which they apply.

    They apply to a file that imports one of `modules` (`*` allowed), that mentions one of `globals` while the project's
    framework is unknown or one of `projects`, that mentions one of `globals` or `names` while the project depends on one of
    `packages` (else of `modules`), and always where `always` says so. It brings the tests themselves where `runner` is "*" or
    one of these modules is imported; the tables of two such frameworks do not apply to one file. `signs` are words that no
    other framework's tests have, `files` the paths of its tests; where they are `certain`, they count more than what the
    project uses. `modifiers` are
    members of a chain that change nothing about time. `objects` are links of a chain that show a call to be the framework's
    where its result is not awaited; without them such a call of an API on "**" may be anybody's.

    `sleep` is how its tests sleep, with `{time}` in `sleep_unit` and with `{it}` for a name of the file that is one of
    `sleep_on`; "await? " awaits it only in a function that is asynchronous already; `sleep_link` is the
    name of a sleep as a link in a chain of its commands. `registers` are the calls that add a
    command of the project's own, to be called on one of `registered_on`. `queued`: its commands run one after the other,
    without being awaited.

    `library` is what the framework is called, which modules bring it, and which defaults code may still set, where it is
    used without its tests: there (`alone`), the `library_default` of a row is its default. `guessed`: only one of `names`
    speaks for it, and so must each call.
    """

    framework: str
    text: str
    projects: frozenset[str] = frozenset()
    packages: tuple[str, ...] = ()
    modules: tuple[str, ...] = ()
    globals: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    signs: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
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
    def uncalled(self) -> tuple[Row, ...]:
        """The rows that are not about calls."""
        return tuple(row for row in self.rows if not row.is_call)

    @cached_property
    def setters(self) -> frozenset[str]:
        """The names of calls that set a default."""
        return frozenset(
            name for row in self.rows if row.sets and row.is_call and not row.derives for name in row.names
        )

    @cached_property
    def _by_name(self) -> tuple[dict[str, list[Row]], list[Row]]:
        exact: dict[str, list[Row]] = {}
        patterns = []
        for row in self.rows:
            for name in row.names if row.is_call else ():
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
        wanted = pattern(self.objects)
        return not self.objects or any(wanted.fullmatch(part) for part in parts)

    def names_one_of(self, parts: tuple[str, ...]) -> bool:
        """Whether a chain has one of the table's `names` as a link."""
        return any(part.removesuffix("()") in self.names for part in parts)

    def registers_by(self, name: str) -> bool:
        """Whether a call of this dotted name adds a command of the project's own."""
        return bool(pattern(self.registers).fullmatch(name))

    def has_registered(self, on: str) -> bool:
        """Whether commands of the project's own are called on this."""
        return bool(pattern(self.registered_on).fullmatch(on))

    def wanted_by(self, dependencies: frozenset[str]) -> bool:
        """Whether one of these packages brings the framework."""
        wanted = pattern(self.packages or self.modules)
        return any(wanted.fullmatch(package) for package in dependencies)

    def sleeps_on(self, name: str) -> bool:
        """Whether something of this name can sleep."""
        return bool(pattern(self.sleep_on).fullmatch(name))

    def runs(self, modules: frozenset[str]) -> bool:
        """Whether it would bring the tests of a file that imports these modules."""
        wanted = pattern(self.runner)
        return "*" in self.runner or any(wanted.fullmatch(module) for module in modules)

    def is_alone(self, modules: frozenset[str], context: Context) -> bool:
        """Whether a file that imports these modules uses it as a library, in the tests of another framework or in none."""
        if not self.library or context.framework in self.projects:
            return False
        known = context.framework is not None
        return known or not (self.runs(modules) or modules.isdisjoint(self.library["modules"]))

    def imported_by(self, modules: frozenset[str]) -> bool:
        """Whether one of these specifiers is the framework's."""
        wanted = pattern(self.modules)
        return any(wanted.fullmatch(module) for module in modules)

    def mentioned_in(self, source: Source) -> bool:
        """Whether a file's text mentions one of the framework's globals."""
        return mentions(source, self.globals)

    def shown_in(self, source: Source) -> bool:
        """Whether a file's text has a word that only this framework's tests have, or is one of its tests by its path."""
        return mentions(source, self.signs) or (self.named(source) and self.mentioned_in(source))

    def named(self, source: Source) -> bool:
        """Whether a file is one of the framework's tests by its path."""
        return any(fnmatch.fnmatchcase(source.file, glob) for glob in self.files)


def mentions(source: Source, words: tuple[str, ...]) -> bool:
    """Whether a file's text has one of these words."""
    # Most words of most tables are in no file: those are told by the file's set of words, at the cost of one look.
    known = source.words
    likely = tuple(word for word in words if all(part in known for part in _WORD.findall(word)))
    return bool(likely) and bool(_words(likely).search(source.data))


@cache
def _words(words: tuple[str, ...]) -> re.Pattern[bytes]:
    return re.compile(rb"(?<!\w)(?:" + b"|".join(re.escape(word.encode()) for word in words) + rb")(?!\w)")


def table_of(text: str) -> Table:
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
        # Of the settings, only those that code makes are a library's.
        own = pattern(tuple(table.library.get("default_keys", ())))
        kept = tuple(key for key in values.get("default_keys", ()) if own.fullmatch(key))
        values |= {"default": data["library_default"], "default_keys": kept}
    of_table = {"framework": table.framework, "queued": table.queued, "modules": tuple(data.get("from", table.modules))}
    return Row(**{**of_table, **values})
