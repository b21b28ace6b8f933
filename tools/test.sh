#!/bin/sh
# All tests: the release build, the shared cases when BELAY_CASES names them, then the same tests under ASan and UBSan.
set -eu
cd "$(dirname "$0")/.."
jobs=${CMAKE_BUILD_PARALLEL_LEVEL:-2}

echo "==> test: release"
tools/build.sh release
ctest --test-dir build --output-on-failure --no-tests=error -j "$jobs"

if [ -n "${BELAY_CASES:-}" ] && [ -f "${BELAY_CASES_RUNNER:-}" ]; then
  echo "==> test: shared cases"
  python3 "$BELAY_CASES_RUNNER" build/belay --dir "$BELAY_CASES" --set repair
else
  echo "==> test: shared cases did not run (BELAY_CASES and BELAY_CASES_RUNNER are not set)"
fi

echo "==> test: under ASan and UBSan"
tools/build.sh asan
ctest --test-dir build-asan --output-on-failure --no-tests=error -j "$jobs"
