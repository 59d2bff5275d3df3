#!/usr/bin/env bash
# Looks for known vulnerabilities: in the versions that each module requires, as scanners do,
# and in the code that it calls. VULNDB is another database than vuln.go.dev, as a URL.
set -euo pipefail
cd "$(dirname "$0")/.."

folder=$(mktemp -d)
trap 'chmod -R u+w "$folder"; rm -rf "$folder"' EXIT
GOWORK=off go build -C tools -o "$folder/govulncheck" golang.org/x/vuln/cmd/govulncheck

# check FLAG... [PACKAGE...]
check() { "$folder/govulncheck" ${VULNDB:+-db "$VULNDB"} "$@" || failed=1; }

failed=0
for module in $(scripts/modules.sh --workspace); do
  if [ -z "$(go -C "$module" list ./...)" ]; then continue; fi # it has tests alone
  echo "$module, what it calls"
  check -C "$module" ./...
done

# Each module by itself, without the workspace, which has the highest version of everything. In
# a copy, since the sums of our own modules would be added.
settings=$(go run ./internal/moduleproxy "$folder/published")
while read -r setting; do export "${setting?}"; done <<<"$settings"
export GOFLAGS=-mod=mod
cp -R . "$folder/tree"
cd "$folder/tree"
for module in $(scripts/modules.sh); do
  echo "$module, what it requires"
  any=$(go -C "$module" list -f '{{.Dir}}' ./... | head -n 1)
  [ -z "$any" ] || check -C "$any" -scan module
done
exit "$failed"
