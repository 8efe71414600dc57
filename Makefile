# The way in for people and for CI. Needs git, GNU make, a POSIX shell and Python 3.11 or newer; installs into .venv.

SHELL := /bin/sh
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.NOTPARALLEL:
.PHONY: help install demo test test-slow test-container chaos fuzz lint lint-workflows check bench bench-start bench-scale bench-context bench-index bench-select bench-detection requirements schemas docs clean

VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --no-input install --quiet
SAMPLE := .demo/sample
TESTS ?= tests
# Half of what the tests take is waiting for servers and processes, so four run on two cores; each begins with modules
# of its own, so that what a module makes for its tests is mostly made once.
PYTEST_FLAGS ?= -n 4 --dist worksteal
UV ?= uv
CHAOS_RUNS ?= 500
CHAOS_SEED ?= 1
FUZZ_SECONDS ?= 900
FUZZ_SEED ?=
BENCH_DJANGO ?= .bench/django
BENCH_GO ?= .bench/hugo
BENCH_TYPESCRIPT ?= .bench/vue
BENCH_JAVA ?= .bench/spring-boot
BENCH_SECRETS ?= .bench
BENCH_OWASP ?= .bench/BenchmarkPython
BENCH_SPEED ?= $(BENCH_OWASP)/testcode
BENCH_SECURITYEVAL ?= .bench/SecurityEval
BENCH_CWEVAL ?= .bench/CWEval
LOCK := $(UV) pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header $(LOCKFLAGS)
export PYTHON

help:
	@echo "make demo          review the bundled sample, offline"
	@echo "make test          run the tests (TESTS=path for some, PYTEST_FLAGS= for one process)"
	@echo "make test-slow     run the tests that take long"
	@echo "make test-container  build the image and run the tests inside it, where Docker can be had"
	@echo "make chaos         500 runs against services that fail in three of ten calls (CHAOS_RUNS=, CHAOS_SEED= for one of them)"
	@echo "make fuzz          ever new examples for the parsers, for a quarter of an hour (FUZZ_SECONDS=, FUZZ_SEED=)"
	@echo "make lint          style, types, layers and workflows"
	@echo "make lint-workflows  actionlint, zizmor and GitHub's schemas over workflows, action.yml and recipes"
	@echo "make check         lint and test"
	@echo "make bench         the waits that are ours, beside what is asked for: one table"
	@echo "make bench-start   from start to the first model request, beside the library's bare import"
	@echo "make bench-scale   3,000 files offline beside 300, and over four shards"
	@echo "make bench-context what the strategies save: the sample, and make bench-context REPO=path BASE=rev HEAD=rev"
	@echo "make bench-index   the symbol index on large repositories, see bench/README.md"
	@echo "make bench-select  what it finds, and what a child is shown, see bench/README.md"
	@echo "make bench-detection  what the embedded engine finds, beside bandit and semgrep, see bench/README.md"
	@echo "make install       everything for development, into $(VENV)"
	@echo "make requirements  lock the dependencies again (needs uv; LOCKFLAGS=--upgrade for newer ones)"
	@echo "make schemas       write the JSON Schemas again"
	@echo "make docs          write the tables of docs/reference.md again"
	@echo "make clean         remove all that these targets made"

# --- install: a stamp in .venv for each step, so that only what changed is done again -------------------------------

install: $(VENV)/.dev

$(VENV)/.made: scripts/find_python.sh
	@python=$$(sh scripts/find_python.sh) || exit 1; \
	if $(BIN)/python -m pip --version >/dev/null 2>&1 || $(BIN)/python -m ensurepip >/dev/null 2>&1; then \
		echo "Using $(VENV)"; \
	else \
		echo "Making $(VENV) with $$($$python --version)"; $$python -m venv --clear $(VENV) || exit 1; \
	fi
	@touch $@

$(VENV)/.build: $(VENV)/.made requirements/build.txt
	@echo "Installing the build backend"
	@$(PIP) --require-hashes --requirement requirements/build.txt
	@touch $@

$(VENV)/.runtime: $(VENV)/.build requirements/runtime.txt pyproject.toml
	@echo "Installing what DevPulse needs to run"
	@$(PIP) --require-hashes --requirement requirements/runtime.txt
	@$(PIP) --no-deps --no-build-isolation --editable .
	@touch $@

$(VENV)/.dev: $(VENV)/.runtime requirements/dev.txt
	@echo "Installing what the tests and checks need"
	@$(PIP) --require-hashes --requirement requirements/dev.txt
	@touch $@

# --- use ------------------------------------------------------------------------------------------------------------

demo: $(VENV)/.runtime .demo/.made
	$(BIN)/devpulse review $(SAMPLE) --base main --head feature --engine offline

.demo/.made: demo/make_sample.py $(shell find demo/base demo/head demo/parts -type f) | $(VENV)/.made
	@$(BIN)/python demo/make_sample.py $(SAMPLE)
	@touch $@

# --- check ----------------------------------------------------------------------------------------------------------

# Compiled modules are kept: each worker and each process that a test starts would compile them again.
test test-slow: export PYTHONDONTWRITEBYTECODE :=

test: $(VENV)/.dev
	$(BIN)/pytest -m "not slow and not container" $(PYTEST_FLAGS) $(TESTS)

# pytest fails when it finds nothing to run, so it is asked only when some test is marked.
test-slow: $(VENV)/.dev
	@if grep -rqs --include='test_*.py' 'mark\.slow' tests; then \
		echo "$(BIN)/pytest -m slow $(TESTS)"; $(BIN)/pytest -m slow $(PYTEST_FLAGS) $(TESTS); \
	else echo "No test is marked slow."; fi

test-container: $(VENV)/.dev
	@PYTEST_FLAGS="$(PYTEST_FLAGS)" sh scripts/container_tests.sh $(BIN)/python

chaos: $(VENV)/.dev
	$(BIN)/python tests/chaos/run.py --runs $(CHAOS_RUNS) --seed $(CHAOS_SEED)

fuzz: $(VENV)/.dev
	$(BIN)/python tests/fuzz/run.py --seconds $(FUZZ_SECONDS) $(if $(FUZZ_SEED),--seed $(FUZZ_SEED))

bench: $(VENV)/.dev
	$(BIN)/python bench/bench_speed.py

bench-start: $(VENV)/.dev
	$(BIN)/python bench/bench_start.py

bench-scale: $(VENV)/.dev
	$(BIN)/python bench/bench_scale.py

bench-context: $(VENV)/.dev
	$(BIN)/python bench/bench_context.py "$(REPO)" "$(BASE)" "$(HEAD)"

bench-index: $(VENV)/.dev
	$(BIN)/python bench/bench_index.py Django=$(BENCH_DJANGO) Go=$(BENCH_GO) TypeScript=$(BENCH_TYPESCRIPT) Java=$(BENCH_JAVA)

bench-select: $(VENV)/.dev
	$(BIN)/python bench/bench_select.py --definitions $(BENCH_DEFINITIONS) --ambiguous $(BENCH_AMBIGUOUS) \
		--tuned $(BENCH_TUNED) --jedi "$(BENCH_JEDI)" --recall "$(BENCH_RECALL)"

bench-detection: $(VENV)/.dev
	$(BIN)/python bench/bench_detection.py --pairs "$(BENCH_PAIRS)" --owasp "$(BENCH_OWASP)" \
		--securityeval "$(BENCH_SECURITYEVAL)" --cweval "$(BENCH_CWEVAL)" --secrets "$(BENCH_SECRETS)" \
		--quiet $(BENCH_QUIET) --speed "$(BENCH_SPEED)" --bandit "$(BENCH_BANDIT)" --semgrep "$(BENCH_SEMGREP)" \
		--semgrep-rules $(BENCH_SEMGREP_RULES) --misses "$(BENCH_MISSES)"

lint-workflows: $(VENV)/.dev
	$(BIN)/python scripts/lint_workflows.py

lint: $(VENV)/.dev lint-workflows
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo

check: lint test

# --- upkeep ---------------------------------------------------------------------------------------------------------

requirements:
	@command -v $(UV) >/dev/null || { echo "uv is needed: install it, or name it with UV=/path/to/uv" >&2; exit 1; }
	@echo "Locking the dependencies"
	@$(LOCK) requirements/build.in --output-file requirements/build.txt
	@$(LOCK) pyproject.toml --constraint requirements/build.txt --output-file requirements/runtime.txt
	@$(LOCK) pyproject.toml --group dev --constraint requirements/build.txt --constraint requirements/runtime.txt \
		--output-file requirements/dev.txt

schemas: $(VENV)/.dev
	$(BIN)/python scripts/write_schemas.py

docs: $(VENV)/.dev
	$(BIN)/python scripts/write_docs.py

clean:
	rm -rf $(VENV) .demo .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache dist build
