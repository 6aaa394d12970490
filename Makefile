# Two commands are enough: `make demo` and `make test`. Each sets up what it needs.
# For daily work `make test-fast` leaves out what takes long.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet

# Compiled once, and not again by each of the many programs that the tests start.
unexport PYTHONDONTWRITEBYTECODE

# Where numbers come from; run again under another linear-algebra kernel and number of threads.
SEEDED := tests/test_documents.py src tests/crowd tests/mechanisms tests/mining tests/papers \
	tests/planning tests/privacy tests/regression tests/compliance tests/statistical
# The web app's tests; all of them also run where nothing but what [serve] brings is installed.
SERVED := tests/attacks tests/browser tests/cli/test_stores.py tests/faults tests/reports tests/web

.PHONY: demo test test-fast test-kernels test-serve lint types bench scaling coverage faults pictures \
	reproduce tables docs docs-serve release clean

demo: $(VENV)/.installed
	$(BIN)/confide demo

# Measuring which lines run slows tests down, so only the quick ones are measured.
test: $(VENV)/.installed-test lint types
	$(BIN)/python -m pytest -n auto --dist worksteal --cov -m 'not slow and not browser'
	$(BIN)/python -m pytest -n auto --dist worksteal -m 'slow and not browser' $(addprefix --ignore=,$(SERVED))
	$(MAKE) test-kernels
	$(MAKE) test-serve

test-fast: $(VENV)/.installed-test
	HYPOTHESIS_PROFILE=quick $(BIN)/python -m pytest -n auto --dist worksteal -m 'not slow'

# Under the kernel that differs most; under all that the processor has: make test-kernels KERNELS=--all
test-kernels: $(VENV)/.installed-test
	HYPOTHESIS_PROFILE=quick $(BIN)/python tests/support/kernels.py $(KERNELS) \
		$(BIN)/python -m pytest -n auto --dist worksteal -m 'document or not slow' $(SEEDED)

test-serve: .venv-serve/.installed
	HYPOTHESIS_PROFILE=quick .venv-serve/bin/python -m pytest -n 4 --dist worksteal $(SERVED)

lint: $(VENV)/.installed-test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/.installed-test
	$(BIN)/mypy

bench: .bench-venv/.installed
	.bench-venv/bin/python benchmarks/run.py

# Cost against people, questions and groups: docs/pictures/scaling.csv and .svg, and the page on clusters.
scaling: $(VENV)/.installed-test
	$(BIN)/python benchmarks/scaling.py

# How often 95 % intervals cover the truth, in 1,710 cases, and those of the likelihood in 1,320: docs/pictures/coverage*.
coverage: $(VENV)/.installed-test
	$(BIN)/python benchmarks/coverage_map.py
	$(BIN)/python benchmarks/likelihood_map.py

# A thousand kills of each store, and the other attacks at full length: a quarter of an hour.
faults: $(VENV)/.installed-test
	CONFIDE_FAULTS=full $(BIN)/python -m pytest -n auto --dist worksteal \
		tests/faults tests/attacks tests/browser/test_respondent.py

pictures: $(VENV)/.installed-test
	$(BIN)/python docs/pictures.py
	$(BIN)/python docs/screenshots.py

# The five papers run again, an hour and a half on two cores, and the pages that show it.
reproduce: $(VENV)/.installed-test
	$(BIN)/confide reproduce all --output build/reproduced
	$(BIN)/python docs/reproduced.py build/reproduced

# The tables of the page on the default learner, from the commands on it.
tables: $(VENV)/.installed-test
	rm -rf build/tables
	$(BIN)/python docs/tables.py build/tables

docs: $(VENV)/.installed-test
	$(BIN)/python -m sphinx --quiet --fail-on-warning --keep-going --fresh-env --write-all --jobs auto \
		docs build/site
	@echo 'The site is in build/site: open build/site/index.html, or make docs-serve.'

docs-serve: docs
	$(BIN)/python -m http.server --bind 127.0.0.1 --directory build/site 8080

$(VENV)/.made:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo 'confide needs Python 3.11 or newer: make PYTHON=python3.12 test'; exit 1; }
	$(PYTHON) -m venv $(VENV)
	touch $@

$(VENV)/.installed: pyproject.toml constraints.txt $(VENV)/.made
	@echo 'Installing confide into $(VENV) …'
	$(PIP) install --constraint constraints.txt --editable '.[serve]'
	touch $@

$(VENV)/.installed-test: pyproject.toml constraints.txt $(VENV)/.made
	@echo 'Installing confide and its test tools into $(VENV) …'
	$(PIP) install --constraint constraints.txt --editable '.[test]'
	touch $@ $(VENV)/.installed

.venv-serve/.installed: pyproject.toml constraints.txt $(VENV)/.made
	@echo 'Installing confide and only what serving takes into .venv-serve …'
	$(PYTHON) -m venv .venv-serve
	.venv-serve/bin/python -m pip --disable-pip-version-check --quiet install \
		--constraint constraints.txt --editable '.[serve,test-serve]'
	touch $@

.bench-venv/.installed: pyproject.toml constraints.txt benchmarks/constraints.txt
	@echo 'Installing confide and the libraries it is compared with into .bench-venv …'
	$(PYTHON) -m venv .bench-venv
	.bench-venv/bin/python -m pip --disable-pip-version-check --quiet install \
		--editable '.[serve,postgres,spark]' \
		--constraint constraints.txt --constraint benchmarks/constraints.txt \
		pure-ldp multi-freq-ldpy pytest scikit-learn statsmodels
	touch $@

release: $(VENV)/.installed-test
	$(PIP) install --constraint constraints.txt build
	$(BIN)/python scripts/release.py $(VERSION)

clean:
	rm -rf $(VENV) .bench-venv .venv-serve
