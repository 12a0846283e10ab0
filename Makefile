# make report: sets up, runs the main job on the bundled golden set, says where the report lies.
# make test:   sets up with the development tools and runs every check.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
OUT ?= out
INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt

.PHONY: help report test check bench clean
help:
	@sed -n 's/^# //p' Makefile

$(BIN)/python:
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "perturb needs Python 3.11 or newer; try make PYTHON=python3.12")'
	$(PYTHON) -m venv $(VENV)

$(VENV)/.installed: pyproject.toml constraints.txt | $(BIN)/python
	$(INSTALL) --editable '.[embedded]'
	@touch $@

$(VENV)/.installed-dev: $(VENV)/.installed
	$(INSTALL) --editable '.[embedded,dev]'
	@touch $@

report: $(VENV)/.installed
	$(BIN)/perturb run firma --models bm25,bm25-lemma,use-multilingual,e5-small --out $(OUT)/firma

check: $(VENV)/.installed-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

test: check
	$(BIN)/python -m pytest -q --cov --cov-report=term

bench: $(VENV)/.installed-dev
	$(INSTALL) --editable '.[bench]'
	@for file in benchmarks/*.py; do echo "== $$file"; env -u OPENBLAS_CORETYPE -u OPENBLAS_L2_SIZE $(BIN)/python $$file || exit 1; done

clean:
	rm -rf $(VENV) $(OUT) build dist
