#!/usr/bin/env bash
# Compares this tree with another commit.
#
#   scripts/compare.sh api COMMIT     what has changed in the exported API of each module
#   scripts/compare.sh speed COMMIT   uidbench of both in turn; benchstat says ~ of what may be chance
set -euo pipefail
cd "$(dirname "$0")/.."

folder=$(mktemp -d)
trap 'git worktree remove --force "$folder/old"; rm -rf "$folder"' EXIT
git worktree add --quiet --detach "$folder/old" "$2"
ln -s "$PWD" "$folder/new"

case $1 in
  api)
    apidiff=$(GOWORK=off go -C tools tool -n apidiff)
    while read -r path _ arrow module; do # what is published is what go.work replaces
      [ "$arrow" = '=>' ] && [ -e "$folder/old/$module/go.mod" ] || continue
      for side in old new; do # apidiff wants to be run where the go.mod is
        (cd "$folder/$side/$module" && "$apidiff" -m -w "$folder/$side.api" "$path")
      done
      echo "$path"
      "$apidiff" -m "$folder/old.api" "$folder/new.api"
    done <go.work
    ;;
  speed)
    benchstat=$(GOWORK=off go -C tools tool -n benchstat)
    export XDG_STATE_HOME=$folder # worker ids of its own
    for side in old new; do go build -C "$folder/$side" -o "$folder/uidbench-$side" ./cmd/uidbench; done
    for round in 1 2 3 4 5 6; do
      echo "round $round of 6" >&2
      for side in old new; do
        "$folder/uidbench-$side" -q --layout 28/22/13 --store static:1 --duration 2s --format bench >>"$folder/$side.txt"
      done
    done
    # What an id costs, and what it costs in shared atomic adds of the same run.
    "$benchstat" -filter '.unit:(ns/op OR ratio)' old="$folder/old.txt" new="$folder/new.txt"
    ;;
esac
