#!/usr/bin/env bash
# Looks for known vulnerabilities in the code that each module calls.
set -euo pipefail
cd "$(dirname "$0")/.."

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
GOWORK=off go build -C tools -o "$folder/govulncheck" golang.org/x/vuln/cmd/govulncheck

failed=0
for module in $(scripts/modules.sh); do
  packages=$(go -C "$module" list ./...)
  if [ -z "$packages" ]; then continue; fi # the tools' module has none of its own
  echo "$module"
  "$folder/govulncheck" -C "$module" ./... || failed=1
done
exit "$failed"
