#!/usr/bin/env bash
# Runs make test so many times beside three busy loops for each processor, until it fails.
#
#   scripts/test-loaded.sh TIMES [ARGUMENT OF MAKE]...
#   scripts/test-loaded.sh 10 PACKAGES=./uid
set -euo pipefail

usage() { sed -n '2,/^set/{/^set/d;s/^# \{0,1\}//;p}' "$0" >&2; exit 2; }
[[ "${1-}" =~ ^[1-9][0-9]*$ ]] || usage
times=$1
shift
cd "$(dirname "$0")/.."

loops=()
end() { [ "${#loops[@]}" -eq 0 ] || kill "${loops[@]}" 2>/dev/null || true; }
trap end EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

us=$BASHPID
for ((i = 0; i < 3 * $(getconf _NPROCESSORS_ONLN); i++)); do
  # Each looks now and then whether this script is still there, should that be killed.
  (trap - EXIT INT TERM HUP; while kill -0 "$us" 2>/dev/null; do for ((j = 0; j < 1000000; j++)); do :; done; done) &
  loops+=($!)
done

for ((run = 1; run <= times; run++)); do
  echo "run $run of $times, beside ${#loops[@]} busy loops" >&2
  begin=$SECONDS
  make test "$@" || { echo "run $run of $times failed after $((SECONDS - begin)) s" >&2; exit 1; }
  echo "run $run of $times passed in $((SECONDS - begin)) s" >&2
done
