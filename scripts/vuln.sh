#!/usr/bin/env bash
# Looks for known vulnerabilities in the code that each module calls.
set -euo pipefail
cd "$(dirname "$0")/.."

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
go build -modfile=tools/go.mod -o "$folder/govulncheck" golang.org/x/vuln/cmd/govulncheck

failed=0
for module in $(scripts/modules.sh); do
  # The tools' module has no package of its own.
  if [ -z "$(go -C "$module" list ./... 2>/dev/null)" ]; then continue; fi
  echo "$module"
  "$folder/govulncheck" -C "$module" ./... || failed=1
done
exit "$failed"
