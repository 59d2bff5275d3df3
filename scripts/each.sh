#!/usr/bin/env bash
# Runs a command in each module by itself, as those see it who require it: without the workspace,
# in a copy of this tree, with what it requires of other modules here taken from there. Changes
# of go.mod and go.sum are brought back. The modules are those of go.work, tools and clients.
#
#   scripts/each.sh go mod tidy
set -euo pipefail
cd "$(dirname "$0")/.."

copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
git ls-files -z --cached --others --exclude-standard | xargs -0 cp --parents -t "$copy"

replaces=() drops=()
while read -r path _ arrow folder; do
  [ "$arrow" = '=>' ] || continue
  replaces+=("-replace=$path=$copy/$folder") drops+=("-dropreplace=$path")
done <go.work

export GOWORK=off
failed=0
for module in $(sed -n 's/^\t\(\.[^ ]*\)$/\1/p' go.work) tools internal/testserver/testdata/clients; do
  echo "$module" >&2
  go mod edit "${replaces[@]}" "$copy/$module/go.mod"
  (cd "$copy/$module" && "$@") || { echo "$module: $* failed" >&2; failed=1; }
  go mod edit "${drops[@]}" "$copy/$module/go.mod"
  for file in "$module"/go.{mod,sum}; do
    cmp -s "$copy/$file" "$file" || cp "$copy/$file" "$file" 2>/dev/null || true # if there is one
  done
done
exit "$failed"
