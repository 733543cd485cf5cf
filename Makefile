# Everything a developer or a CI machine types. Each target sets up what it needs: a virtual environment, packages, Chromium.
PY := .venv/bin/python

.PHONY: help demo test check unit e2e bench evidence setup clean

help:
	@echo "make demo      repair a flaky Playwright test of a bundled project in Chromium"
	@echo "make test      all checks and tests (check, unit, e2e)"
	@echo "make bench     measure what must be fast; writes docs/performance.md"
	@echo "make evidence  repair every fixture test with 100 runs a value; writes docs/evidence.md (more than an hour)"
	@echo "make clean     remove what these targets made"

setup:
	@sh scripts/setup.sh

demo: setup
	@$(PY) scripts/demo.py

test: check unit e2e

check: setup
	$(PY) -m ruff check .
	$(PY) -m ruff format --check .
	$(PY) -m mypy
	.venv/bin/lint-imports
	@find js_runner tests/js -name '*.mjs' -o -name '*.cjs' | while read -r file; do node --check "$$file" || exit 1; done
	npx --no-install eslint js_runner tests/js

unit: setup
	node --test tests/js/
	$(PY) -m pytest -n 2 tests/unit tests/property tests/process

# Two at a time, but of each bundled project one at a time.
e2e: setup
	$(PY) -m pytest -n 2 --dist loadgroup --durations 10 tests/contract tests/e2e

bench: setup
	$(PY) scripts/bench.py

evidence: setup
	$(PY) scripts/evidence.py

clean:
	rm -rf .venv .cache node_modules build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
