# Everything a person or continuous integration does with the project. `make help` lists it.
SHELL := /bin/bash
# The first Python that runs and is not too old or too new; `make PYTHON=... TARGET` names another one.
PYTHON ?= $(shell for python in python3 python3.13 python3.12 python3.11; do \
	$$python tools/python_version.py >/dev/null 2>&1 && echo $$python && exit; done; echo python3)
MATCHES ?= 40
GAMES ?= 20000
SEED ?= 1
SECONDS ?= 600
SAMPLE ?= 400
FRAMES ?= 100000
VENV := .venv
DEV := .venv-dev
BENCH := .venv-bench
MUTATION := .venv-mutation
RUN := $(DEV)/bin

.PHONY: help install dev demo test test-all lint format proto bench bench-clocks soak soak-engine soak-service fuzz fuzz-play mutants mutation goldens dist clean

help: ## list the targets
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## (.*)/  \1\t\2/' | expand -t 16

install: $(VENV)/.installed ## make .venv with the built wheel and the server
$(VENV)/.installed: pyproject.toml hatch_build.py $(shell git ls-files engine sdk bots server proto 2>/dev/null)
	@$(PYTHON) tools/python_version.py
	$(PYTHON) -m venv $(VENV)
	$(VENV)/bin/pip install -q --disable-pip-version-check '.[server,embedded,bench]'
	@$(VENV)/bin/targi version
	@touch $@

dev: $(DEV)/.installed ## make .venv-dev: editable, with the tools for tests and lint
$(DEV)/.installed: pyproject.toml
	@$(PYTHON) tools/python_version.py
	$(PYTHON) -m venv $(DEV)
	$(RUN)/pip install -q --disable-pip-version-check -e '.[server,embedded,dev]'
	@touch $@

demo: install ## a short rated ladder of the reference bots (MATCHES=40)
	$(VENV)/bin/targi demo --matches $(MATCHES)

test: dev ## unit and end-to-end tests, ten minutes at most
	$(RUN)/pytest -m 'not full'

test-all: dev ## what `make test` leaves out: compiled engine, Prometheus, chaos, long games, mutants
	$(RUN)/pytest -m full
	$(RUN)/python tools/mutants.py

lint: dev ## ruff, mypy, buf
	$(RUN)/ruff check .
	$(RUN)/ruff format --check .
	$(RUN)/mypy
	$(RUN)/buf lint
	$(RUN)/buf breaking --against proto/image.binpb

format: dev ## let ruff write
	$(RUN)/ruff check --fix .
	$(RUN)/ruff format .

proto: dev ## generate the wire code from proto/ in an environment of its own
	$(RUN)/python tools/generate_proto.py

bench: install $(BENCH)/.installed ## the benchmarks, with the compiled engine
	PYTHONPATH=tests/support:tests/bench $(VENV)/bin/python tests/bench

bench-clocks: install ## games on tight clocks under load: nobody loses on time wrongfully (GAMES=20000)
	PYTHONPATH=tests/support:tests/bench $(VENV)/bin/python tests/bench/clocks.py --games $(GAMES)

$(BENCH)/.installed:
	$(PYTHON) -m venv $(BENCH)
	$(BENCH)/bin/pip install -q --disable-pip-version-check 'open-spiel>=1.5'
	@touch $@

# MINUTES alone: the service; GAMES alone: the engine; both or neither: both.
SOAKS := $(if $(filter file,$(origin GAMES)),,soak-engine) $(if $(MINUTES),soak-service)
soak: $(or $(strip $(SOAKS)),soak-engine soak-service) ## both long runs: of the engine (GAMES=20000 SEED=1), of the service (MINUTES=30 SEED=1)

soak-engine: install ## games of every ruleset, each position checked (GAMES=20000 SEED=1)
	PYTHONPATH=tests/support $(VENV)/bin/python tests/soak/soak.py --games $(GAMES) --seed $(SEED)

soak-service: install ## seeded chaos over server, Redis, bots and network (MINUTES=30 SEED=1)
	PYTHONPATH=tests/support $(VENV)/bin/python tests/chaos/chaos.py --minutes $(or $(MINUTES),30) --seed $(SEED)

fuzz: install ## damaged records, card files and observations are refused in order (SECONDS=600 SEED=1)
	$(VENV)/bin/python tests/soak/fuzz.py --seconds $(SECONDS) --seed $(SEED)

fuzz-play: install ## hostile bots send frames and calls of every kind to a real server (FRAMES=100000 SEED=1)
	PYTHONPATH=tests/support $(VENV)/bin/python tests/soak/play_fuzz.py --frames $(FRAMES) --seed $(SEED)

mutants: dev ## apply each named mutant to a copy of the engine: a test must fail
	$(RUN)/python tools/mutants.py

mutation: dev $(MUTATION)/.installed ## a sample of small edits of the engine: how many tests notice (SAMPLE=400 SEED=1)
	set -o pipefail; $(MUTATION)/bin/python tools/mutation_sample.py $(SAMPLE) $(SEED) | \
		$(RUN)/python tools/mutation.py build/mutation-$(SEED).txt

$(MUTATION)/.installed:
	$(PYTHON) -m venv $(MUTATION)
	$(MUTATION)/bin/pip install -q --disable-pip-version-check 'cosmic-ray==8.7.0'
	@touch $@

goldens: dev ## write the golden playthroughs anew, for review
	$(RUN)/python tools/goldens.py

dist: dev ## wheel and source distribution in dist/
	$(RUN)/python -m hatchling build -d dist

clean: ## remove what was made
	rm -rf $(VENV) $(DEV) $(BENCH) $(MUTATION) dist build .mypy_cache .ruff_cache .pytest_cache
