# Varve. `make help` lists what there is.

SHELL := /usr/bin/env bash
JOBS ?= 2
TEST := .ci/test
export JOBS
SOAK_MINUTES ?= 30
# How many commits the observers hear of in each round.
SOAK_COMMITS ?= 20000
DEMO_ARGUMENTS ?=
BENCH_ARGUMENTS ?= --engines varve --repeat 3 --json Results/varve.json
# Of bench-report.
export BENCH_SCALE ?= 1
export BENCH_REPEAT ?= 3
# `--update` writes the thresholds.
CHECK_ARGUMENTS ?=

SOURCES := Package.swift Sources Tests Benchmarks/Package.swift Benchmarks/Sources Benchmarks/Tests \
  $(addprefix Docs/Examples/PackageIndex/,Package.swift Sources Tests)

.DEFAULT_GOAL := help
.PHONY: help setup build test lint format demo demo-test bench bench-report bench-check bench-test docs api-check check test-tsan test-asan soak

help: ## Lists these commands
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):[^#]*## /\1|/' \
	  | awk -F'|' '{ printf "  make %-12s %s\n", $$1, $$2 }'

setup: ## Installs liblmdb-dev and pkg-config when they are missing
	@.ci/setup

build: setup ## Builds everything for debugging
	swift build --build-tests -j $(JOBS)

test: setup ## Runs all tests
	$(TEST)
	.ci/check-model-file
	.ci/check-refusals

demo: setup ## Imports this machine's package index, queries it, changes it from two processes
	.ci/build-release Docs/Examples/PackageIndex package-index
	Docs/Examples/PackageIndex/.build/optimised/release/package-index $(DEMO_ARGUMENTS)

demo-test: setup ## Runs the tests of the demo, which is a package of its own
	.ci/test-demo

bench: setup ## Measures; results in Benchmarks/Results (BENCH_ARGUMENTS="--scale 0.1 …")
	@.ci/setup-bench
	.ci/build-release Benchmarks varve-bench
	cd Benchmarks && .build/optimised/release/varve-bench $(BENCH_ARGUMENTS)

bench-report: setup ## Measures all engines and writes Docs/Benchmarks.md (an hour; BENCH_SCALE=0.1 is quicker)
	@.ci/setup-bench
	.ci/build-release Benchmarks varve-bench
	.ci/report-benchmarks

bench-check: setup ## Counts instructions and allocations, and compares them with Benchmarks/Thresholds
	@.ci/setup-bench
	.ci/build-release Benchmarks varve-operations
	.ci/check-operations $(CHECK_ARGUMENTS)

bench-test: setup ## Runs the tests of the benchmarks
	@.ci/setup-bench
	.ci/test-benchmarks

lint: setup ## Checks format, imports, words, and the paths and examples in the documents
	swift format lint --strict --parallel --recursive $(SOURCES)
	.ci/check-imports
	.ci/check-folders
	.ci/check-words
	.ci/check-paths
	.ci/check-examples

format: ## Formats the sources in place
	swift format --in-place --parallel --recursive $(SOURCES)

docs: setup ## Builds the documentation into .build/docs
	.ci/docs

api-check: setup ## Compares the public symbols with Docs/Public-API.txt
	@.ci/setup-bench
	.ci/check-api

check: lint test ## What to run before a commit

test-tsan: setup ## Runs all tests under the thread sanitizer
	$(TEST) --sanitize=thread --scratch-path .build/tsan -Xswiftc -DVARVE_THREAD_SANITIZER

test-asan: setup ## Runs all tests under the address sanitizer
	ASAN_OPTIONS=detect_leaks=0 $(TEST) --sanitize=address --scratch-path .build/asan

soak: setup ## Repeats the randomised tests with new seeds for SOAK_MINUTES (30)
	swift build --build-tests -j $(JOBS)
	@end=$$(( $$(date +%s) + $(SOAK_MINUTES) * 60 )); round=0; \
	while [ $$(date +%s) -lt $$end ]; do \
	  round=$$(( round + 1 )); seed=$$(( RANDOM * 32768 + RANDOM )); \
	  echo "round $$round, VARVE_SEED=$$seed"; \
	  VARVE_SEED=$$seed VARVE_SOAK_COMMITS=$(SOAK_COMMITS) swift test --no-parallel --skip-build --quiet || exit 1; \
	done; echo "$$round rounds"
