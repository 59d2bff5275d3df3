#!/usr/bin/env bash
# Counts the instructions of a take under callgrind: a figure that does not depend on how
# busy the machine is, and needs none of the processor's counters, which most virtual
# machines hide. Two runs of different length are subtracted, so the start and the end drop
# out; the padder's work is in it. Where nothing can be counted it says so, and succeeds.
#
#   scripts/instructions.sh [BENCHMARK...]
set -euo pipefail
cd "$(dirname "$0")/.."

command -v valgrind >/dev/null || {
  echo "instructions per id: not counted, valgrind is missing:" \
    "on Debian or Ubuntu, apt-get install valgrind"
  exit 0
}
benchmarks=("$@")
[ "$#" -gt 0 ] || benchmarks=(AtomicAdd AtomicCall Cached CachedBatch Stream Default)

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
go test -c -o "$folder/uid.test" ./uid

# Valgrind runs one thread at a time and does not bear Go's preemption signals.
export GOMAXPROCS=1 GODEBUG=asyncpreemptoff=1 GOGC=off

collected() { # BENCHMARK COUNT
  valgrind --tool=callgrind --callgrind-out-file=/dev/null "$folder/uid.test" \
    -test.run '^$' -test.bench "^Benchmark$1\$" -test.benchtime "$2x" 2>&1 >/dev/null |
    awk '/Collected/ { print $4 }' || true
}

short=200000
long=1200000
printf '%-12s %s\n' path 'instructions per id'
for name in "${benchmarks[@]}"; do
  low=$(collected "$name" "$short")
  high=$(collected "$name" "$long")
  if [ -z "$low" ] || [ -z "$high" ]; then
    printf '%-12s %s\n' "$name" 'not counted: callgrind failed'
    continue
  fi
  awk -v name="$name" -v n="$((long - short))" -v i="$((high - low))" \
    'BEGIN { printf "%-12s %.1f\n", name, i / n }'
done
