#!/bin/sh
# Measures Belay's reader, schemas and wires, and their peers, in one run and compares them. `make bench` builds bench_json and calls this.
#   bench/run.sh [--quick] [--docs]
# --quick: fewer sizes and runs. --docs: also renews the tables and charts in docs/.
# Everything measured goes to build/bench/results. BENCH_JSON names another build of the program.
set -eu
cd "$(dirname "$0")/.."
quick=''
docs=''
for argument in "$@"; do
  case "$argument" in
    --quick) quick=--quick ;;
    --docs) docs=--docs ;;
    *) sed -n '2,5s/^# *//p' "$0" >&2; exit 2 ;;
  esac
done
program=${BENCH_JSON:-build/bench/bench_json}
[ -x "$program" ] || { echo "bench: $program is not built; make bench does that" >&2; exit 1; }
results=build/bench/results
mkdir -p "$results"
rm -f "$results/peers.json" "$results/sdks.json" "$results/agent.json" "$results/lines.json"

# shellcheck disable=SC2086  # $quick and $docs are one word or none
"$program" $quick --json "$results/belay.json"
echo
echo "==> bench: the agent, from outside"
# shellcheck disable=SC2086
python3 bench/agent.py $quick --json "$results/agent.json" build/belay "$(dirname "$program")/bench_mcp"
echo
echo "==> bench: records, one a line"
"$program" --write-records "$results/records"
# shellcheck disable=SC2086
python3 bench/lines.py $quick --json "$results/lines.json" build/belay "$results/records"
rm -r "$results/records"
echo
echo "==> bench: the readers from npm, on the same documents"
if (cd bench && npm ci --no-audit --no-fund --silent); then
  "$program" --write-documents "$results/documents"
  # shellcheck disable=SC2086
  node bench/peers.mjs $quick --json "$results/peers.json" "$results/documents"
  echo "==> bench: the official SDKs and ajv, on the same streams and schemas"
  "$program" --write-streams "$results/streams"
  # shellcheck disable=SC2086
  node bench/sdks.mjs $quick --json "$results/sdks.json" "$results/streams"
else
  echo "bench: npm could not install them; they are left out of the comparison" >&2
fi
# shellcheck disable=SC2086
python3 bench/report.py $docs "$results"
