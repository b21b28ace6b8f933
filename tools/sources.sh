#!/bin/sh
# Lists the C++ sources and headers of the project, one a line. With arguments: only those below these folders.
set -eu
cd "$(dirname "$0")/.."
[ $# -gt 0 ] || set -- include src apps tests fuzz bench
for folder in "$@"; do
  if [ -d "$folder" ]; then
    find "$folder" -name node_modules -prune -o -type f \( -name '*.h' -o -name '*.cpp' \) -print
  fi
done | sort
