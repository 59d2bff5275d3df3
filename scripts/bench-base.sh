#!/usr/bin/env bash
# Is this tree slower than another commit? Runs uidbench of both in turn, on this machine,
# and shows the difference as benchstat tells it: ~ where it may be chance.
#
#   scripts/bench-base.sh [COMMIT]   origin/main by default
set -euo pipefail
cd "$(dirname "$0")/.."

base=${1:-origin/main}
git rev-parse --verify --quiet "$base^{commit}" >/dev/null || {
  echo "$0: there is no commit $base here: git fetch it, or type another" >&2
  exit 2
}

benchstat=$(GOWORK=off go -C tools tool -n benchstat)
folder=$(mktemp -d)
leave() {
  git worktree remove --force "$folder/base" 2>/dev/null || true
  rm -rf "$folder"
}
trap leave EXIT
git worktree add --quiet --detach "$folder/base" "$base"
go build -C "$folder/base" -o "$folder/old" ./cmd/uidbench
go build -o "$folder/new" ./cmd/uidbench

for round in 1 2 3 4 5 6; do
  echo "round $round of 6" >&2
  for side in old new; do
    "$folder/$side" -q --layout 28/22/13 --store static:1 --duration 2s --format bench >> "$folder/$side.txt"
  done
done
# What an id costs, and what it costs in shared atomic adds of the same run.
"$benchstat" -filter '.unit:(ns/op OR ratio)' old="$folder/old.txt" new="$folder/new.txt"
