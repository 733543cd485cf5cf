"""What the syntax tests share: parse text, choose a line, edit it, and look at the result."""

from __future__ import annotations

import posixpath

from traf.syntax import Context, Source, WaitSite, apply_edits, choose_site, edits_for, parse

PLAYWRIGHT = "import { test, expect } from '@playwright/test';\n"
_SUFFIXES = ("", ".ts", ".tsx", ".js", ".jsx", ".mjs", ".cjs", "/index.ts", "/index.js")


def source(text: str, file: str = "a.spec.ts") -> Source:
    return parse(file, text.encode())


def context(framework: str | None = None, files: dict[str, str] | None = None, **defaults: float) -> Context:
    """A context whose modules come from `files`; defaults as playwright__expect__timeout=1."""

    def load(from_file: str, specifier: str) -> Source | None:
        if not specifier.startswith("."):
            return None
        base = posixpath.normpath(posixpath.join(posixpath.dirname(from_file), specifier))
        for suffix in _SUFFIXES:
            if base + suffix in (files or {}):
                return parse(base + suffix, (files or {})[base + suffix].encode())
        return None

    return Context(framework, {key.replace("__", "."): value for key, value in defaults.items()}, load)


def line_of(text: str, mark: str) -> int:
    return text[: text.index(mark)].count("\n") + 1


def site_at(text: str, mark: str, ctx: Context | None = None, file: str = "a.spec.ts") -> WaitSite:
    """The site that the line with the first `mark` means."""
    return choose_site(source(text, file), ctx or Context(), line_of(text, mark))


def edited(text: str, mark: str, ms: float, ctx: Context | None = None, file: str = "a.spec.ts") -> str:
    """The text after the site at `mark` has got the time `ms`."""
    parsed = source(text, file)
    site = choose_site(parsed, ctx or Context(), line_of(text, mark))
    return apply_edits(parsed.data, edits_for(parsed, site, ms, ctx or Context())).decode()


def playwright(*lines: str) -> str:
    """A Playwright test with these lines as its body."""
    body = "".join(f"  {line}\n" for line in lines)
    return f"{PLAYWRIGHT}\ntest('x', async ({{ page }}) => {{\n{body}}});\n"


def changed(before: str, after: str) -> list[str]:
    """The lines of `after` that `before` does not have, stripped."""
    old = before.splitlines()
    return [line.strip() for line in after.splitlines() if line not in old]
