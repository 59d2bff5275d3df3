#!/usr/bin/env bash
# Runs go mod tidy in each module, by itself, as those see it who require it. The modules
# require each other at a version that may not be published: it is served from the
# working tree. Sums of our own modules are left out, since they change with each commit.
#
#   scripts/tidy.sh           tidies
#   scripts/tidy.sh VERSION   makes the modules require each other at VERSION first
#   scripts/tidy.sh --check   says what it would change, and builds each module by itself
set -euo pipefail
cd "$(dirname "$0")/.."

path=$(awk '$1 == "module" { print $2 }' go.mod)
version=$(awk -v path="$path" '$1 == path && $2 ~ /^v/ { print $2 }' go.work)
check=false
case "${1-}" in
  '') ;;
  --check) check=true ;;
  v*)
    sed -i "s,^\(\t$path[^ ]*\) $version ,\1 $1 ," go.work
    for module in $(scripts/modules.sh); do
      sed -i "s,^\(\t$path[^ ]*\) $version\$,\1 $1," "$module/go.mod"
    done
    ;;
  *) echo "usage: $0 [--check | VERSION]" >&2; exit 2 ;;
esac

folder=$(mktemp -d)
trap 'chmod -R u+w "$folder"; rm -rf "$folder"' EXIT
if $check; then # in a copy: others may be at work in this tree
  cp -R . "$folder/tree"
  cd "$folder/tree"
fi

# The modules as if they were published, and how Go takes them from there.
settings=$(go run ./internal/moduleproxy "$folder/published")
while read -r setting; do export "${setting?}"; done <<<"$settings"

failed=0
for module in $(scripts/modules.sh); do
  echo "$module" >&2
  mkdir "$folder/before"
  touch "$module/go.sum"
  cp "$module/go.mod" "$module/go.sum" "$folder/before"
  go -C "$module" mod tidy
  go -C "$module" mod verify >/dev/null || failed=1
  if $check; then
    go -C "$module" build -ldflags=-w -o /dev/null ./... || { echo "$module does not build by itself" >&2; failed=1; }
  fi
  grep -v "^$path[/ ]" "$module/go.sum" > "$folder/sum" || true
  cp "$folder/sum" "$module/go.sum"
  if $check; then
    for file in go.mod go.sum; do
      diff -u --label "$module/$file" --label "$module/$file, tidy" "$folder/before/$file" "$module/$file" || failed=1
    done
  fi
  [ -s "$module/go.sum" ] || rm "$module/go.sum"
  rm -r "$folder/before"
done
[ $failed = 0 ] || echo "$0: not tidy; make tidy mends what it can" >&2
exit "$failed"
