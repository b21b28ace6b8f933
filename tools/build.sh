#!/bin/sh
# Configures a preset if that was not done yet, and builds it.
#   tools/build.sh PRESET [TARGET...]        without a target: everything, tests too
set -eu
cd "$(dirname "$0")/.."
preset=$1
shift
dir=build-$preset
[ "$preset" = release ] && dir=build

# With ccache the same sources in another folder are not compiled again.
export CCACHE_BASEDIR="$PWD" CCACHE_NOHASHDIR=1
# What ccache wants to be told before it keeps what was compiled with a header of the tests that is compiled already.
export CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime

quiet() {
  log=$(mktemp)
  if "$@" >"$log" 2>&1; then rm -f "$log"; else cat "$log" >&2; rm -f "$log"; exit 1; fi
}

if [ $# -gt 0 ]; then
  # A single target needs none of the tests' libraries, so a first configuration leaves the tests out.
  [ -f "$dir/build.ninja" ] || quiet cmake --preset "$preset" -DBELAY_TESTS=OFF
  cmake --build "$dir" --target "$@"
else
  quiet cmake --preset "$preset"
  cmake --build "$dir"
fi
