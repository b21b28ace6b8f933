# Belay: one word a task. `make help` lists them. Each installs what it lacks with apt, then does its job.
# Everything here is a thin layer over CMake presets (CMakePresets.json) and tools/.

JOBS         ?= $(shell nproc 2>/dev/null || echo 2)
FUZZ_SECONDS ?= 60
FUZZ_RUNS    ?=
FUZZ_TARGETS ?=

export CMAKE_BUILD_PARALLEL_LEVEL := $(JOBS)
MAKEFLAGS += --no-print-directory

say = @echo "==> $(1)"

.PHONY: build run test bench fuzz check format clean help
.DEFAULT_GOAL := build

build: ## build the program: build/belay
	$(call say,build: making build/belay)
	@tools/setup.sh build
	@tools/build.sh release belay

run: build ## build, then run the agent on a small task with the built-in model, which misbehaves on purpose
	$(call say,run: a small task$(comma) with a model that misbehaves on purpose)
	@build/belay run

test: ## all tests in release, external cases if BELAY_CASES names some, then those of the library under ASan and UBSan
	$(call say,test: building and running all tests$(comma) then those of the library under ASan and UBSan)
	@tools/setup.sh build test
	@tools/test.sh

bench: ## measure Belay beside its peers in one run
	$(call say,bench: measuring Belay beside its peers)
	@tools/setup.sh build bench
	@tools/bench.sh

fuzz: ## run every fuzz target for FUZZ_SECONDS (60) or FUZZ_RUNS executions
	$(call say,fuzz: running every fuzz target for $(if $(FUZZ_RUNS),$(FUZZ_RUNS) executions,$(FUZZ_SECONDS) s))
	@tools/setup.sh build fuzz
	@FUZZ_SECONDS='$(FUZZ_SECONDS)' FUZZ_RUNS='$(FUZZ_RUNS)' FUZZ_TARGETS='$(FUZZ_TARGETS)' tools/fuzz.sh

check: ## format, clang-tidy, layers, public headers, links in the docs
	$(call say,check: format$(comma) tidy$(comma) layers$(comma) headers$(comma) links)
	@tools/setup.sh build check
	@tools/check.sh

format: ## rewrite the sources in the project's format
	$(call say,format: rewriting the sources with clang-format)
	@tools/setup.sh check
	@tools/sources.sh | xargs -r clang-format-19 -i

clean: ## remove everything that was built
	$(call say,clean: removing build/ and build-*/)
	@rm -rf build build-*/

help: ## this list
	@echo "make TASK, where TASK is one of:"
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/  \1\t\2/p' $(firstword $(MAKEFILE_LIST)) | expand -t 12

comma := ,
