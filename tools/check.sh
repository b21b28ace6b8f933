#!/bin/sh
# Everything that can be said about the sources without running them. All parts run; the end says which failed.
set -eu
cd "$(dirname "$0")/.."
jobs=${CMAKE_BUILD_PARALLEL_LEVEL:-2}
failed=

part() {
  name=$1
  shift
  echo "==> check: $name"
  "$@" || failed="$failed $name"
}

format() {
  if report=$(tools/sources.sh | xargs -r clang-format-19 --dry-run -Werror 2>&1); then return 0; fi
  differ=$(echo "$report" | grep -aE '^[^: ]+:[0-9]+:[0-9]+: ' | cut -d: -f1,2 | sort -u | cut -d: -f1 | uniq -c) || true
  [ -n "$differ" ] || echo "$report"
  echo "$differ" | while read -r count file; do echo "$file: lines that differ: $count"; done
  echo "(make format mends this)"
  return 1
}

tidy() {
  log=$(mktemp)
  cmake --preset tidy >"$log" 2>&1 || { cat "$log" >&2; return 1; }
  if run-clang-tidy-19 -quiet -p build-tidy -j "$jobs" "$PWD/(src|apps)/.*" >"$log" 2>&1; then
    rm -f "$log"
  else
    grep -aEv '^\[[ 0-9/]+\]|warnings? generated|^Running|^clang-tidy-19 ' "$log" || true
    rm -f "$log"
    return 1
  fi
}

part format format
part layers python3 tools/check_layers.py
part headers python3 tools/check_headers.py
part links python3 tools/check_links.py
part self-tests python3 tools/test_checks.py
part tidy tidy

if [ -n "$failed" ]; then
  echo "check: failed:$failed" >&2
  exit 1
fi
echo "check: all passed"
