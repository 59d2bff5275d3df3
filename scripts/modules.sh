#!/usr/bin/env bash
# Prints the folders of this repository's modules, one a line; the root is a dot.
#
#   scripts/modules.sh            all: each folder with a go.mod
#   scripts/modules.sh --tagged   those that a release gives a version to
set -euo pipefail
cd "$(dirname "$0")/.."

# Nobody requires these, so they get no tag. Any other module does, without being named.
untagged=(tools examples bench/rivals)

tagged=false
case "${1-}" in
  '') ;;
  --tagged) tagged=true ;;
  *) echo "usage: $0 [--tagged]" >&2; exit 2 ;;
esac

find . -name go.mod -not -path '*/.*' -not -path '*/testdata/*' -not -path '*/node_modules/*' |
  sed -e 's,/go\.mod$,,' -e 's,^\./,,' | LC_ALL=C sort |
  while read -r module; do
    if $tagged && [[ " ${untagged[*]} " == *" $module "* ]]; then continue; fi
    echo "$module"
  done
