# Two commands matter: `make demo` and `make test`. Both build their own environment in .venv.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
JOBS ?= auto
# Of `make bench`: how many hands, and which rows (all: empty).
N ?= 200000
ROWS ?=

.PHONY: demo test test-long lint bench bench-page docs install clean

demo: $(VENV)/.installed
	$(BIN)/ddz demo --store reports/demo-store -o reports/demo.html
	@echo "to go on: . $(VENV)/bin/activate, then ddz --help"

test: $(VENV)/.tested
	$(BIN)/python -m pytest -n $(JOBS) -m "not long"

test-long: $(VENV)/.tested
	$(BIN)/python -m pytest -n $(JOBS)

lint: $(VENV)/.tested
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: $(VENV)/.tested
	$(BIN)/python -m tests.bench --hands $(N) --rows "$(ROWS)" --json reports/bench-$(N).json

bench-page: $(VENV)/.tested
	$(BIN)/python -m tests.bench.page $(wildcard reports/bench-*.json)

docs: $(VENV)/.tested
	$(BIN)/ddz rules doc -o docs/rules.md
	$(BIN)/python -m tests.explained > docs/.explained.md
	mv docs/.explained.md docs/explained.md
	$(BIN)/python -m tests.reference
	$(BIN)/python -m tests.extending
	$(BIN)/python -m tests.walkthroughs
	$(BIN)/python -m tests.documents

install: $(VENV)/.installed

$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Python 3.11 or newer is needed (make PYTHON=python3.12 ...)"; exit 1; }
	@$(PYTHON) -m venv $(VENV) || { echo "Python's venv module is missing: on Debian or Ubuntu, apt install python3-venv"; rm -rf $(VENV); exit 1; }

$(VENV)/.installed: pyproject.toml $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e .
	@touch $@

$(VENV)/.tested: pyproject.toml $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[test]'
	@touch $@ $(VENV)/.installed

clean:
	rm -rf $(VENV) reports/demo-store reports/demo.html reports/demo.json
