#!/bin/sh
# All tests: the release build, external cases when BELAY_CASES names some, then the library under ASan and UBSan with the
# fuzz corpora.
# CONTRIBUTING.md says what these cases are; nobody needs them.
set -eu
cd "$(dirname "$0")/.."
# Many tests wait for a process, a terminal or a time: two more than the machine has cores keep it busy. Under sanitizers
# there are few of these.
cores=${CMAKE_BUILD_PARALLEL_LEVEL:-2}

echo "==> test: release"
tools/build.sh release
ctest --test-dir build --output-on-failure --no-tests=error -j $((cores + 2))

if [ -n "${BELAY_CASES:-}" ] && [ -f "${BELAY_CASES_RUNNER:-}" ]; then
  echo "==> test: external cases"
  python3 "$BELAY_CASES_RUNNER" build/belay --dir "$BELAY_CASES" --set repair --set streams --set text
else
  echo "==> test: external cases did not run (BELAY_CASES and BELAY_CASES_RUNNER name none)"
fi

echo "==> test: under ASan and UBSan"
tools/build.sh asan
ctest --test-dir build-asan --output-on-failure --no-tests=error -j "$cores"
