#!/usr/bin/env bash
# Runs go mod tidy in each module, by itself, as those see it who require it. The modules
# require each other at a version that may not be published: it is served from the
# working tree. Sums of our own modules are left out, since they change with each commit.
#
#   scripts/tidy.sh          tidies
#   scripts/tidy.sh --check  shows what would change, and builds each module by itself
set -euo pipefail
cd "$(dirname "$0")/.."

check=false
case "${1-}" in
  '') ;;
  --check) check=true ;;
  *) echo "usage: $0 [--check]" >&2; exit 2 ;;
esac

path=$(awk '$1 == "module" { print $2 }' go.mod)
version=$(awk -v path="$path" '$1 == path && $2 ~ /^v/ { print $2 }' metrics/go.mod)
folder=$(mktemp -d)
trap 'chmod -R u+w "$folder"; rm -rf "$folder"' EXIT
go run ./internal/release "$folder/proxy" "$version" >/dev/null

# A cache of its own, since what is served under this version is another thing each time.
# The usual cache has the rest.
downloads=$(go env GOMODCACHE)/cache/download
GOPROXY=file://$folder/proxy,file://$downloads,$(go env GOPROXY)
export GOPROXY GOWORK=off GOMODCACHE=$folder/cache GOFLAGS="-modcacherw ${GOFLAGS-}"
export GONOSUMDB=$path,$path/*

# without_ours FILE: its lines but for the sums of our own modules.
without_ours() { grep -v "^$path[/ ]" "$1" || true; }

failed=0
for module in $(scripts/modules.sh); do
  echo "$module" >&2
  before=$folder/before
  mkdir -p "$before"
  cp "$module/go.mod" "$module/go.sum" "$before" 2>/dev/null || true
  go -C "$module" mod tidy
  if $check; then
    go -C "$module" build -o /dev/null ./... && go -C "$module" vet ./... || failed=1
  fi
  if [ -f "$module/go.sum" ]; then
    without_ours "$module/go.sum" > "$folder/sum"
    cp "$folder/sum" "$module/go.sum"
  fi
  if $check; then
    for file in go.mod go.sum; do
      [ -f "$before/$file" ] || continue
      diff -u --label "$module/$file" --label "$module/$file, tidy" "$before/$file" "$module/$file" || failed=1
      cp "$before/$file" "$module/$file"
    done
  fi
  rm -rf "$before"
done
exit "$failed"
