#!/usr/bin/env bash
# Prints the folders of this repository's modules, one a line; the root is a dot.
#
#   scripts/modules.sh              all: each folder with a go.mod
#   scripts/modules.sh --tagged     those that a release gives a version to
#   scripts/modules.sh --workspace  those of go.work, which are built and tested together
set -euo pipefail
cd "$(dirname "$0")/.."

# Nobody requires these, so they get no tag. Any other module does, without being named.
untagged=(tools examples bench/keys bench/rivals internal/codecs internal/docs internal/moduleproxy worker/sqlstore/integration)

# Its requirements must not raise what the others are tested with.
apart=(tools)

without=()
case "${1-}" in
  '') ;;
  --tagged) without=("${untagged[@]}") ;;
  --workspace) without=("${apart[@]}") ;;
  *) echo "usage: $0 [--tagged | --workspace]" >&2; exit 2 ;;
esac

find . -name go.mod -not -path '*/.*' -not -path '*/testdata/*' -not -path '*/node_modules/*' |
  sed -e 's,/go\.mod$,,' -e 's,^\./,,' | LC_ALL=C sort |
  while read -r module; do
    if [[ " ${without[*]-} " != *" $module "* ]]; then echo "$module"; fi
  done
