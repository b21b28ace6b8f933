#!/bin/sh
# Builds the fuzz targets and runs each for FUZZ_SECONDS seconds, or for FUZZ_RUNS executions when that is set.
# FUZZ_TARGETS="a b" runs only those. Seeds come from fuzz/corpus/TARGET; what a run finds new goes to
# build-fuzz/corpus/TARGET, and an input that breaks something to build-fuzz/findings/.
set -eu
cd "$(dirname "$0")/.."
seconds=${FUZZ_SECONDS:-60}
runs=${FUZZ_RUNS:-}

[ -f fuzz/CMakeLists.txt ] || { echo "fuzz: there are no targets yet" >&2; exit 1; }
tools/build.sh fuzz

UBSAN_OPTIONS=${UBSAN_OPTIONS:-print_stacktrace=1}
ASAN_SYMBOLIZER_PATH=${ASAN_SYMBOLIZER_PATH:-$(command -v llvm-symbolizer-19 || true)}
export UBSAN_OPTIONS ASAN_SYMBOLIZER_PATH
findings=build-fuzz/findings
mkdir -p "$findings"

targets=${FUZZ_TARGETS:-$(find build-fuzz/fuzz -maxdepth 1 -type f -perm -u+x ! -name '*replay*' -printf '%f\n' | sort)}
[ -n "$targets" ] || { echo "fuzz: build-fuzz/fuzz holds no target" >&2; exit 1; }

failed=
for target in $targets; do
  short=${target#fuzz_}
  corpus=build-fuzz/corpus/$short
  mkdir -p "$corpus"
  seeds=
  for dir in "fuzz/corpus/$short" "fuzz/corpus/$target"; do
    if [ -d "$dir" ]; then seeds=$dir; fi
  done
  dictionary=
  for file in "fuzz/$short.dict" "fuzz/${short%%_*}.dict" fuzz/json.dict; do
    if [ -f "$file" ]; then dictionary=-dict=$file; break; fi
  done
  echo "==> fuzz: $target"
  if [ -n "$runs" ]; then bound=-runs=$runs; else bound=-max_total_time=$seconds; fi
  # shellcheck disable=SC2086  # empty options vanish
  if "build-fuzz/fuzz/$target" $bound $dictionary -timeout=25 -rss_limit_mb=4096 -print_final_stats=1 \
      -artifact_prefix="$findings/$short-" "$corpus" $seeds >"build-fuzz/$target.log" 2>&1; then
    grep -E '^stat::(number_of_executed_units|average_exec_per_sec)' "build-fuzz/$target.log" || true
  else
    tail -n 60 "build-fuzz/$target.log"
    failed="$failed $target"
  fi
done
if [ -n "$failed" ]; then
  echo "fuzz: findings in$failed; inputs in $findings/, logs in build-fuzz/*.log" >&2
  exit 1
fi
echo "fuzz: no findings"
