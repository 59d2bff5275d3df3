#!/usr/bin/env bash
# Prints the changelog's section of a version, which has to have a date. An entry is one line,
# because GitHub shows the line breaks of a release's text.
#
#   scripts/release-notes.sh v0.2.0
set -euo pipefail
cd "$(dirname "$0")/.."

awk -v version="$1" '/^## / { on = $2 == version && $4 ~ /^20[0-9][0-9]-[01][0-9]-[0-3][0-9]$/; next }
  on { gap = sub(/^  +/, "") ? " " : "\n"; printf "%s%s", gap, $0; some += NF }
  END { print ""; exit !some }' CHANGELOG.md
