"""Commands that a project adds to a framework, such as `Cypress.Commands.add("getByTest", fn)`: where each is defined."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from traf.syntax.bindings import bindings_of
from traf.syntax.callee import callee_of
from traf.syntax.nodes import CALLBACKS, FUNCTIONS, arguments, key_of, peel, string_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tree_sitter import Node

    from traf.syntax.model import Context
    from traf.syntax.source import Source
    from traf.syntax.tables import Table


@dataclass(frozen=True, slots=True)
class Command:
    """The function of a command and its file; its first `given` parameters come from the framework, not from the call."""

    home: Source
    function: Node
    given: int = 0


def command(source: Source, name: str, table: Table, context: Context) -> Command | None:
    """The command of this name that the file, or else a support file of the project, adds to a table's framework."""
    for home in (source, *context.ambient):
        found = _commands(home, table, context).get(name)
        if found is not None:
            return found
    return None


def _commands(home: Source, table: Table, context: Context) -> dict[str, Command]:
    key = ("commands", table.framework)
    found = home.memo.get(key)
    if not isinstance(found, dict):
        found = home.memo[key] = dict(_registered(home, table, context))
    return found


def _registered(home: Source, table: Table, context: Context) -> Iterator[tuple[str, Command]]:
    last_names = {name.rpartition(".")[2] for name in table.registers}
    for call in home.nodes("call") if last_names & home.words else ():
        target = call.child_by_field_name("function")
        name_node = target.child_by_field_name("property") if target is not None else None
        args = arguments(call)
        if not args or name_node is None or home.text(name_node) not in last_names:
            continue
        if not table.registers_by(".".join(callee_of(home, call, context).parts)):
            continue
        name = string_of(home, peel(args[0]))
        if name is None:
            yield from _members(home, peel(args[-1]))
            continue
        function = _function(home, args[-1])
        # `{ prevSubject: true }` before the function: what the command is called on comes first.
        subject = len(args) > 2 and b"prevSubject" in (args[1].text or b"")
        if function is not None:
            yield name, Command(home, function, int(subject))


def _members(home: Source, members: Node) -> Iterator[tuple[str, Command]]:
    """The functions of an object that registers several commands by their names."""
    for member in members.named_children if members.type == "object" else ():
        key = member.child_by_field_name("key") or member.child_by_field_name("name")
        name = key_of(home, key) if key is not None else None
        value = member.child_by_field_name("value")
        function = (
            member if member.type == "method_definition" else _function(home, value) if value is not None else None
        )
        if name is not None and function is not None:
            yield name, Command(home, function)


def _function(home: Source, node: Node) -> Node | None:
    """The function that an expression is or names."""
    node = peel(node)
    if node.type in CALLBACKS:
        return node
    binding = bindings_of(home).resolve(home.text(node), node) if node.type == "identifier" else None
    value = peel(binding.value) if binding is not None and binding.value is not None else None
    return value if value is not None and value.type in FUNCTIONS else None
