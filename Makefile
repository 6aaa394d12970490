# Two commands are enough: `make demo` and `make test`. Each sets up what it needs.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet

.PHONY: demo test lint types bench pictures clean

demo: $(VENV)/.installed
	$(BIN)/confide demo

test: $(VENV)/.installed-test lint types
	$(BIN)/python -m pytest -n auto

lint: $(VENV)/.installed-test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/.installed-test
	$(BIN)/mypy

bench: $(VENV)/.installed
	$(BIN)/python benchmarks/run.py

pictures: $(VENV)/.installed-test
	$(BIN)/python docs/pictures.py

$(VENV)/.made:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo 'confide needs Python 3.11 or newer: make PYTHON=python3.12 test'; exit 1; }
	$(PYTHON) -m venv $(VENV)
	touch $@

$(VENV)/.installed: pyproject.toml constraints.txt $(VENV)/.made
	@echo 'Installing confide into $(VENV) …'
	$(PIP) install --constraint constraints.txt --editable .
	touch $@

$(VENV)/.installed-test: pyproject.toml constraints.txt $(VENV)/.made
	@echo 'Installing confide and its test tools into $(VENV) …'
	$(PIP) install --constraint constraints.txt --editable '.[test]'
	touch $@ $(VENV)/.installed

clean:
	rm -rf $(VENV) .bench-venv
