# Two commands on a fresh machine: `make demo` plays an evening and verifies its log, `make test` is the gate.
# Needed: GNU make, pip and Python 3.11 or newer (another one: make PYTHON=python3.12 demo).

PYTHON ?= python3
BIN := .venv/bin

# The environment's own pip; a Python without ensurepip gives it none, then the machine's pip installs into it from outside.
PIP = $$(test -x $(BIN)/pip && echo $(BIN)/python -m pip || echo $(PYTHON) -m pip --python $(BIN)/python)
# A process that crashes is a failure: started anew, xdist would wait for it for ever.
PYTEST = $(BIN)/python -m pytest -n 2 --dist loadfile --no-loadscope-reorder --max-worker-restart=0
COMPILE = $(BIN)/uv pip compile --quiet --universal --generate-hashes --python-version 3.11 \
	--no-header --no-annotate --no-emit-index-url pyproject.toml --extra statistics --group build

# The tests start hundreds of processes: none compiles again what another has compiled.
export PYTHONDONTWRITEBYTECODE :=

.DEFAULT_GOAL := help
.PHONY: help install demo serve test short long lint browser postgres redis bench golden audit lock clean

help: ## list the targets
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/  make \1\t\2/p' Makefile | expand -t 16

install: .venv/.installed ## install into .venv, and nothing else

demo: .venv/.installed ## play an evening through the real server, verify its log, show what to look at
	$(BIN)/fairlog demo

serve: .venv/.installed ## the same set-up, and it keeps serving
	$(BIN)/fairlog serve --demo

test: browser ## the gate: lint beside all tests that are not marked `long`, under five minutes on two cores
	@$(MAKE) --no-print-directory --jobs 2 lint short

short: .venv/.installed-dev
	FAIRLOG_TESTS=short $(PYTEST)

long: browser postgres redis ## all tests, with the large counts
	FAIRLOG_TESTS=long $(PYTEST)

lint: .venv/.installed-dev ## format, lint, types, import contracts, compose file
	$(BIN)/ruff format --check
	$(BIN)/ruff check
	$(BIN)/mypy --strict
	$(BIN)/lint-imports
	$(BIN)/check-jsonschema --builtin-schema vendor.compose-spec compose.yaml

browser: .venv/.installed-dev ## say which browser the tests run in; root has Debian's installed where there is none
	@$(BIN)/python -m tests.browser.finding

postgres: .venv/.installed-dev ## say which PostgreSQL the long run uses; root has Debian's installed beside the wheel's
	@FAIRLOG_TESTS=long $(BIN)/python -m tests.support.databases.finding

redis: .venv/.installed-dev ## say which queue servers the long run uses; root has Debian's Redis installed beside the wheel's
	@FAIRLOG_TESTS=long $(BIN)/python -m tests.support.queue_servers

bench: .venv/.installed-dev ## the figures, each as a ratio to a floor measured in the same run
	$(BIN)/python -m bench

golden: .venv/.installed-dev ## rewrite the golden logs; the diff is the review
	$(BIN)/python -m pytest tests/golden -q --golden

audit: .venv/.installed-dev ## known holes in what the lock names; it asks a service on the internet, so no gate runs it
	$(BIN)/uv tool run 'pip-audit>=2.9' --requirement requirements.lock --require-hashes --disable-pip --strict

lock: .venv/.installed-dev ## resolve pyproject.toml into both locks (delete them first to take the newest of everything)
	$(COMPILE) -o requirements.lock
	$(COMPILE) --group dev --constraint requirements.lock -o requirements-dev.lock

clean: ## remove the environment and the caches
	rm -rf .venv .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache build dist
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

.venv/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or newer is needed: make PYTHON=...")'
	@$(PYTHON) -m venv .venv >/dev/null 2>&1 || $(PYTHON) -m venv --clear --without-pip .venv

.venv/.installed: requirements.lock pyproject.toml | .venv/bin/python
	@echo "Installing what Fairlog needs into .venv"
	@$(PIP) install --quiet --require-hashes -r requirements.lock
	@$(PIP) install --quiet --no-deps --no-build-isolation -e .
	@touch $@

# uv, itself from the lock, installs the rest several times faster; where it reaches no index, pip does, as it is configured.
.venv/.installed-dev: requirements-dev.lock requirements.lock pyproject.toml | .venv/bin/python
	@echo "Installing what Fairlog and its tests need into .venv"
	@sed -n '/^uv==/,/[^\]$$/p' requirements-dev.lock > .venv/uv.lock
	@$(PIP) install --quiet --require-hashes -r .venv/uv.lock
	@$(BIN)/uv pip install --quiet --python $(BIN)/python --require-hashes -r requirements-dev.lock \
		|| $(PIP) install --quiet --require-hashes -r requirements-dev.lock
	@$(PIP) install --quiet --no-deps --no-build-isolation -e .
	@touch .venv/.installed $@
