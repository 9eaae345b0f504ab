# The commands of Varve's developers. `make help` lists them.

SHELL := /usr/bin/env bash
JOBS ?= 2
TEST := .ci/test
export JOBS
SOAK_MINUTES ?= 30
# The number of commits of the observer test in each round.
SOAK_COMMITS ?= 20000
# The rounds of the fault tests; 1 when they run among the other tests.
FAULT_ROUNDS ?= 20
# The time for each fuzz target; FUZZ_TARGETS selects some of them.
export FUZZ_SECONDS ?= 60
FUZZ_TARGETS ?=
DEMO_ARGUMENTS ?=
SERVER_ARGUMENTS ?=
LOAD_ARGUMENTS ?=
PREFIX ?= /usr/local
DESTDIR ?=
BENCH_ARGUMENTS ?= --engines varve --repeat 3 --json Results/varve.json
# The arguments of bench-report.
export BENCH_SCALE ?= 1
export BENCH_REPEAT ?= 3
# `--update` makes bench-check write the thresholds.
CHECK_ARGUMENTS ?=

SOURCES := Package.swift Sources Tests Benchmarks/Package.swift Benchmarks/Sources Benchmarks/Tests \
  $(addprefix Docs/Examples/PackageIndex/,Package.swift Sources Tests) \
  $(addprefix Docs/Examples/TaskServer/,Package.swift Sources Tests Comparison/Package.swift \
  Comparison/Sources)

.DEFAULT_GOAL := help
.PHONY: help setup build test faults fuzz lint format demo demo-test server server-test server-load bench bench-report bench-check bench-test docs api-check check test-tsan test-asan install dist dist-test soak

help: ## Lists the commands
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):[^#]*## /\1|/' \
	  | awk -F'|' '{ printf "  make %-12s %s\n", $$1, $$2 }'

setup: ## Installs liblmdb-dev and pkg-config if they are missing
	@.ci/setup

build: setup ## Builds the library, the tool and the tests for debugging
	swift build --build-tests -j $(JOBS)

test: setup ## Runs the tests, except those of the benchmarks and the demo
	@.ci/setup-disks
	$(TEST)
	.ci/check-model-file
	.ci/check-compiler-options
	.ci/check-refusals
	.ci/check-schema-command
	.ci/check-install
	.ci/check-lmdb-tools
	.ci/check-full-disk

faults: setup ## Runs the fault tests in full, FAULT_ROUNDS (20) times as long as in test
	@.ci/setup-disks
	VARVE_MUTANTS=1 .ci/build-release . VarveTestProcess
	VARVE_TEST_PROCESS=$(CURDIR)/.build/optimised/release/VarveTestProcess \
	  VARVE_FAULT_ROUNDS=$(FAULT_ROUNDS) $(TEST) --filter VarveFaultTests

fuzz: setup ## Fuzzes each decoder for FUZZ_SECONDS (60) with libFuzzer; FUZZ_TARGETS selects some
	.ci/fuzz $(FUZZ_TARGETS)

demo: setup ## Imports this machine's package index, queries it, changes it from two processes
	.ci/build-release Docs/Examples/PackageIndex package-index
	Docs/Examples/PackageIndex/.build/optimised/release/package-index $(DEMO_ARGUMENTS)

demo-test: setup ## Runs the tests of the demo, a separate package
	.ci/test-demo

server: setup ## Runs the example server at http://127.0.0.1:8080 (SERVER_ARGUMENTS="--port …")
	.ci/build-release Docs/Examples/TaskServer task-server
	Docs/Examples/TaskServer/.build/optimised/release/task-server $(SERVER_ARGUMENTS)

server-test: setup ## Runs the tests of VarveServer and of the example server
	.ci/test-server

server-load: setup ## Compares the example server with the same server on GRDB (LOAD_ARGUMENTS)
	.ci/load-test $(LOAD_ARGUMENTS)

bench: setup ## Runs the benchmarks (BENCH_ARGUMENTS="--scale 0.1 …"); results in Benchmarks/Results
	@.ci/setup-bench
	.ci/build-release Benchmarks varve-bench
	cd Benchmarks && .build/optimised/release/varve-bench $(BENCH_ARGUMENTS)

bench-report: setup ## Measures all engines and writes Docs/Benchmarks.md (about an hour; less with BENCH_SCALE=0.1)
	@.ci/setup-bench
	.ci/build-release Benchmarks varve-bench
	.ci/report-benchmarks

bench-check: setup ## Compares instructions, allocations and memory with Benchmarks/Thresholds
	@.ci/setup-bench
	.ci/build-release Benchmarks varve-operations
	.ci/check-operations $(CHECK_ARGUMENTS)

bench-test: setup ## Runs the tests of the benchmarks
	@.ci/setup-bench
	.ci/test-benchmarks

lint: setup ## Checks format, imports, folder order, words, and the paths and examples in documents
	swift format lint --strict --parallel --recursive $(SOURCES)
	.ci/check-imports
	.ci/check-folders
	.ci/check-words
	.ci/check-paths
	.ci/check-examples

format: ## Formats the sources in place
	swift format --in-place --parallel --recursive $(SOURCES)

docs: setup ## Builds the site of the documents, with the API reference, into .build/docs
	@.ci/setup-docs
	.ci/docs

api-check: setup ## Compares the public symbols with Docs/Public-API.txt
	@.ci/setup-bench
	.ci/check-api

check: lint test ## Runs lint and test; run it before each commit

test-tsan: setup ## Runs the tests under the thread sanitizer
	$(TEST) --sanitize=thread --scratch-path .build/tsan

test-asan: setup ## Runs the tests under the address sanitizer
	ASAN_OPTIONS=detect_leaks=0 $(TEST) --sanitize=address --scratch-path .build/asan

install: setup ## Installs varve with completions and man pages under PREFIX (/usr/local)
	.ci/build-release . varve
	.ci/install .build/optimised/release/varve "$(DESTDIR)$(PREFIX)"

dist: setup ## Makes a tarball and a Debian package of varve in .build/dist
	.ci/dist .build/dist

dist-test: dist ## Installs the Debian package in a Debian without Swift (as root), and uses it
	.ci/check-dist .build/dist

soak: setup ## Repeats the tests, some with more commits, with new random seeds for SOAK_MINUTES (30)
	swift build --build-tests -j $(JOBS)
	@end=$$(( $$(date +%s) + $(SOAK_MINUTES) * 60 )); round=0; \
	while [ $$(date +%s) -lt $$end ]; do \
	  round=$$(( round + 1 )); seed=$$(( RANDOM * 32768 + RANDOM )); \
	  echo "round $$round, VARVE_SEED=$$seed"; \
	  VARVE_SEED=$$seed VARVE_SOAK_COMMITS=$(SOAK_COMMITS) swift test --no-parallel --skip-build --quiet || exit 1; \
	done; echo "$$round rounds"
