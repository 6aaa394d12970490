# Two commands are enough: `make demo` and `make test`. Each sets up what it needs.
# For daily work `make test-fast` leaves out what takes long.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet

# Where numbers come from; run again under other linear-algebra kernels, one and two threads.
SEEDED := tests/test_documents.py src tests/crowd tests/mechanisms tests/mining tests/planning \
	tests/privacy tests/statistical

.PHONY: demo test test-fast test-kernels lint types bench faults pictures clean

demo: $(VENV)/.installed
	$(BIN)/confide demo

test: $(VENV)/.installed-test lint types
	$(BIN)/python -m pytest -n auto --cov
	$(MAKE) test-kernels

test-fast: $(VENV)/.installed-test
	$(BIN)/python -m pytest -n auto -m 'not slow'

test-kernels: $(VENV)/.installed-test
	$(BIN)/python tests/kernels.py $(BIN)/python -m pytest -n auto -m 'not slow' $(SEEDED)

lint: $(VENV)/.installed-test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/.installed-test
	$(BIN)/mypy

bench: .bench-venv/.installed
	.bench-venv/bin/python benchmarks/run.py

faults: $(VENV)/.installed-test
	CONFIDE_FAULTS=full $(BIN)/python -m pytest tests/faults

pictures: $(VENV)/.installed-test
	$(BIN)/python docs/pictures.py

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

.bench-venv/.installed: pyproject.toml constraints.txt benchmarks/constraints.txt
	@echo 'Installing confide and the libraries it is compared with into .bench-venv …'
	$(PYTHON) -m venv .bench-venv
	.bench-venv/bin/python -m pip --disable-pip-version-check --quiet install \
		--editable '.[serve,postgres]' \
		--constraint constraints.txt --constraint benchmarks/constraints.txt \
		pure-ldp multi-freq-ldpy pytest scikit-learn statsmodels
	touch $@

clean:
	rm -rf $(VENV) .bench-venv
