#!/usr/bin/env bash
# Runs each fuzz target for a while: scripts/fuzz.sh [DURATION], 10s by default.
set -euo pipefail

duration=${1:-10s}
for package in $(go list -f '{{if or .TestGoFiles .XTestGoFiles}}{{.ImportPath}}{{end}}' github.com/ringuid/ringuid/...); do
  listed=$(go test -list '^Fuzz' "$package")
  for target in $(grep '^Fuzz' <<<"$listed" || true); do
    echo "$package $target"
    go test -run '^$' -fuzz "^$target\$" -fuzztime "$duration" "$package"
  done
done
