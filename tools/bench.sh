#!/bin/sh
# Builds the benchmarks in release and hands over to bench/run.sh, which measures the peers in the same run.
set -eu
cd "$(dirname "$0")/.."
if ! [ -f bench/CMakeLists.txt ] || ! [ -x bench/run.sh ]; then
  echo "bench: there is nothing to measure yet" >&2
  exit 1
fi
log=$(mktemp)
trap 'rm -f "$log"' EXIT
cmake --preset release -DBELAY_TESTS=OFF -DBELAY_BENCH=ON >"$log" 2>&1 || { cat "$log" >&2; exit 1; }
cmake --build build
bench/run.sh
