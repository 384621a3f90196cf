# Everything goes through here: `make setup` once, then `make demo`, `make test`, ...

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed

# One numerical thread a process: worker processes are the parallelism, and threads of several libraries would fight.
export OMP_WAIT_POLICY := PASSIVE
export OMP_NUM_THREADS := 1
export OPENBLAS_NUM_THREADS := 1
export MKL_NUM_THREADS := 1

.DEFAULT_GOAL := help
.PHONY: help setup demo test test-all browser lint format fuzz bench clean

help:  ## this list
	@grep -hE '^[a-z-]+:.*##' Makefile | sed -E 's/^([a-z-]+):[^#]*## */\1\t/' | expand -t 12

setup: $(STAMP)  ## install everything into .venv, in the versions of constraints.txt

$(STAMP): pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or newer is needed: make PYTHON=python3.11")'
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[dev]'
	@touch $@

demo: $(STAMP)  ## a tournament of the shipped agents, with intervals
	$(BIN)/burako tournament --config default --workers 2

test: $(STAMP)  ## the tests of every day
	$(BIN)/python -m pytest -q -n 2 -m 'not slow'

test-all: $(STAMP) browser  ## these and the slow ones
	$(BIN)/python -m pytest -q -n 2

# Root on Debian installs what is missing; anybody else is told how, and the tests in a browser are skipped.
browser:  ## chromium and its driver, for the tests in a real browser
	@if command -v chromium >/dev/null && command -v chromedriver >/dev/null; then exit 0; fi; \
	if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
		apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq chromium chromium-driver >/dev/null && exit 0; \
	fi; \
	echo "note: no chromium and chromedriver here, tests in a browser will be skipped; on Debian or Ubuntu:" \
		"sudo apt-get install -y chromium chromium-driver" >&2

lint: $(STAMP)  ## ruff, mypy, and the layers that files may import
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache

format: $(STAMP)  ## put the code in order
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

fuzz: $(STAMP)  ## random play against the reference, FUZZ_DECISIONS decisions
	FUZZ_DECISIONS=$${FUZZ_DECISIONS:-1000000} $(BIN)/python -m pytest -q -n 2 -m fuzz

bench: $(STAMP)  ## decisions a second of every game
	$(BIN)/burako throughput

clean:  ## remove caches, keep .venv and runs
	rm -rf .mypy_cache .pytest_cache .ruff_cache .hypothesis .benchmarks dist
	find . -name __pycache__ -not -path './$(VENV)/*' -prune -exec rm -rf {} +
