# Two commands on a fresh machine: `make demo` plays a session of each game and verifies the logs, `make test` runs all
# checks. Needed: GNU make, pip and Python 3.11 or later (to choose one: make PYTHON=python3.12 demo).

PYTHON ?= python3
BIN := .venv/bin

# The pip of .venv. A Python without ensurepip creates none; then the system's pip installs into .venv.
PIP = $$(test -x $(BIN)/pip && echo $(BIN)/python -m pip || echo $(PYTHON) -m pip --python $(BIN)/python)
# The gate has three test processes for two cores, because tests wait for servers a sixth of their time.
# A test process that crashes must fail the run: if xdist restarted it, it would wait forever.
NPM = $(BIN)/python -m tests.openapi.npm
PYTEST = $(BIN)/python -m pytest --dist loadfile --no-loadscope-reorder --max-worker-restart=0
COMPILE = $(BIN)/uv pip compile --quiet --universal --generate-hashes --python-version 3.11 \
	--no-header --no-annotate --no-emit-index-url pyproject.toml --all-extras --group build

# The tests start hundreds of processes. Let them store compiled modules, so that each is compiled once.
export PYTHONDONTWRITEBYTECODE :=

# The console: source in web/, built by the Node of the lock file. Git ignores what is built.
CONSOLE = service/web/dist/index.html
CONSOLE_SOURCES = $(shell find web -type f -not -path '*/node_modules/*' -not -name schema.d.ts)

.DEFAULT_GOAL := help
.PHONY: help install demo serve test short long lint style document browser postgres redis bench golden audit packages lock clean

help: ## list the targets
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/  make \1\t\2/p' Makefile | expand -t 16

install: .venv/.installed $(CONSOLE) ## install Fairlog into .venv, and build its console

demo: .venv/.installed $(CONSOLE) ## play a session of each game on a real server, and verify the logs
	$(BIN)/fairlog demo

serve: .venv/.installed $(CONSOLE) ## serve, with a played session of each game
	$(BIN)/fairlog serve --demo

test: browser $(CONSOLE) ## check the style, and run the tests that are not marked `long`: under five minutes on two cores
	@$(BIN)/python web/build.py packages
	@$(MAKE) --no-print-directory --jobs 2 style short

short: .venv/.installed-dev
	FAIRLOG_TESTS=short $(PYTEST) -n 3

long: browser $(CONSOLE) postgres redis document ## check the OpenAPI document, and run all tests with large counts; about two hours
	FAIRLOG_TESTS=long $(PYTEST) -n 2

lint: style document ## check format, style, types, import contracts, the compose files and the OpenAPI document

style: .venv/.installed-dev
	$(BIN)/ruff format --check
	$(BIN)/ruff check
	$(BIN)/mypy --strict
	$(BIN)/lint-imports
	$(BIN)/python -m tests.openapi.document build/openapi.json
	$(BIN)/python web/build.py check
	$(BIN)/check-jsonschema --builtin-schema vendor.compose-spec compose.yaml compose.sqlite.yaml

# Spectral alone takes a minute, so the gate leaves these to `make lint` and `make long`.
document: .venv/.installed-npm
	$(BIN)/python -m tests.openapi.document build/openapi.json
	$(BIN)/openapi-spec-validator --subschema-errors all build/openapi.json
	$(NPM) redocly lint build/openapi.json --config tests/openapi/redocly.yaml --format=stylish
	$(NPM) spectral lint build/openapi.json --ruleset tests/openapi/spectral.yaml --fail-severity=hint

browser: .venv/.installed-dev ## find the browser for the tests; as root, install Debian's if there is none
	@$(BIN)/python -m tests.browser.chromium

postgres: .venv/.installed-dev ## find PostgreSQL servers for `make long`; as root, install Debian's too
	@FAIRLOG_TESTS=long $(BIN)/python -m tests.support.databases.finding

redis: .venv/.installed-dev ## find queue servers for `make long`; as root, install Debian's Redis too
	@FAIRLOG_TESTS=long $(BIN)/python -m tests.support.queue_servers

bench: .venv/.installed-dev ## measure performance, each figure against a floor of the same run
	$(BIN)/python -m bench

golden: .venv/.installed-dev ## rewrite the golden logs; review the diff
	$(BIN)/python -m pytest tests/golden -q --golden

audit: .venv/.installed-dev ## list known vulnerabilities of the locked libraries; asks a service on the internet
	$(BIN)/uv tool run pip-audit==2.10.1 --requirement requirements.lock --require-hashes --disable-pip --strict

packages: .venv/.installed-dev $(CONSOLE) ## pack the npm packages into build/packages
	$(BIN)/python -m packages

lock: .venv/.installed-dev ## resolve pyproject.toml into both lock files; delete them first to update everything
	$(COMPILE) -o requirements.lock
	$(COMPILE) --group dev --constraint requirements.lock -o requirements-dev.lock

clean: ## remove .venv and the caches
	rm -rf .venv .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache build dist service/web/dist web/node_modules
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

.venv/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Fairlog needs Python 3.11 or later: make PYTHON=python3.12 ...")'
	@$(PYTHON) -m venv .venv >/dev/null 2>&1 || $(PYTHON) -m venv --clear --without-pip .venv

.venv/.installed: requirements.lock pyproject.toml | .venv/bin/python
	@echo "Installing Fairlog into .venv"
	@$(PIP) install --quiet --require-hashes -r requirements.lock
	@$(PIP) install --quiet --no-deps --no-build-isolation -e .
	@touch $@

$(CONSOLE): $(CONSOLE_SOURCES) | .venv/.installed
	@echo "Building the console"
	@$(BIN)/python web/build.py
	@touch $@

# uv, itself from the lock, installs several times faster. If it cannot reach an index, pip installs as configured.
.venv/.installed-dev: requirements-dev.lock requirements.lock pyproject.toml | .venv/bin/python
	@echo "Installing Fairlog and the development tools into .venv"
	@sed -n '/^uv==/,/[^\]$$/p' requirements-dev.lock > .venv/uv.lock
	@$(PIP) install --quiet --require-hashes -r .venv/uv.lock
	@$(BIN)/uv pip install --quiet --compile-bytecode --python $(BIN)/python --require-hashes \
		-r requirements-dev.lock \
		|| $(PIP) install --quiet --require-hashes -r requirements-dev.lock
	@$(PIP) install --quiet --no-deps --no-build-isolation -e .
	@touch .venv/.installed $@

.venv/.installed-npm: tests/openapi/package-lock.json .venv/.installed-dev
	@$(NPM)
	@touch $@
