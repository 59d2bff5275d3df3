#!/usr/bin/env bash
# Prints the changelog's section of a version, which has to have a date.
#
#   scripts/release-notes.sh v0.2.0
set -euo pipefail
cd "$(dirname "$0")/.."

awk -v version="$1" '/^## / { on = $2 == version && $4 ~ /^20[0-9][0-9]-[01][0-9]-[0-3][0-9]$/; next }
  on { print; some += NF } END { exit !some }' CHANGELOG.md
