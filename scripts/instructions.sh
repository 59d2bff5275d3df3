#!/usr/bin/env bash
# Counts the instructions of a take under callgrind: a figure that does not depend on how
# busy the machine is, and needs none of the processor's counters, which most virtual
# machines hide. Two runs of different length are subtracted, so the start and the end drop
# out; the padder's work is in it.
set -euo pipefail
cd "$(dirname "$0")/.."

command -v valgrind >/dev/null || { echo 'not counted: apt-get install valgrind'; exit 0; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
go test -c -o "$folder/uid.test" ./uid

# Valgrind runs one thread at a time and does not bear Go's preemption signals.
export GOMAXPROCS=1 GODEBUG=asyncpreemptoff=1 GOGC=off
collected() { # BENCHMARK COUNT
  { valgrind --tool=callgrind --callgrind-out-file=/dev/null "$folder/uid.test" -test.run '^$' \
    -test.bench "^Benchmark$1\$" -test.benchtime "$2x" 2>&1 || true; } | # an old one may end badly
    awk '/Collected/ { print $4 }'
}
for name in AtomicAdd AtomicCall Cached CachedBatch Stream Default; do
  low=$(collected "$name" 200000)
  high=$(collected "$name" 1200000)
  awk -v name="$name" -v i="$((high - low))" 'BEGIN { printf "%-12s %.1f instructions per id\n", name, i / 1e6 }'
done
