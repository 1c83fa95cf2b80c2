# Two commands do all the set-up: `make demo` and `make test`.
# PIP_FLAGS goes to every installation, for instance to choose PyTorch's CPU build (see README).

PYTHON ?= python3
PIP_FLAGS ?=
BIN := .venv/bin
INSTALL = $(BIN)/python -m pip install --quiet --disable-pip-version-check \
	--constraint requirements.lock --no-build-isolation $(PIP_FLAGS)

.PHONY: demo test test-full docs docs-serve lint format clean

demo: .venv/train
	$(BIN)/python -m experiments.demo

test: lint
	$(BIN)/python -m pytest -n 2 -m "not slow"

test-full: lint
	$(BIN)/python -m pytest -n 2
	$(BIN)/python -m tests.planted_faults

docs: .venv/docs
	NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --strict

docs-serve: .venv/docs
	NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs serve

lint: .venv/test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

format: .venv/test
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

# PyTorch comes first and pinned: an unpinned one may be another build, of several gigabytes.
.venv/train: pyproject.toml requirements.lock
	@echo "installing into .venv ..."
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(INSTALL) setuptools torch
	$(INSTALL) --editable '.[train]'
	touch $@

.venv/test: .venv/train
	$(INSTALL) --editable '.[train,test,docs]'
	touch $@

.venv/docs: .venv/train
	$(INSTALL) --editable '.[train,docs]'
	touch $@

clean:
	rm -rf .venv build site *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis
