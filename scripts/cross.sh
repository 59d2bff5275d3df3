#!/usr/bin/env bash
# Builds for every platform that is promised, and type-checks the tests.
#
#   scripts/cross.sh         everything for two platforms that differ from this one in
#                            all that matters (system, size of a word, processor), what
#                            users import for the others
#   scripts/cross.sh --all   everything for all; the clients of stores take a minute or
#                            two each
set -euo pipefail
cd "$(dirname "$0")/.."

export CGO_ENABLED=0
platforms=(
  linux/amd64 linux/arm64 linux/386
  windows/amd64 windows/arm64 windows/386
  darwin/amd64 darwin/arm64
)
whole=(windows/386 darwin/arm64)
imported=(./uid ./ringbuffer ./padding ./policy ./worker ./worker/store ./worker/memstore ./worker/sqlstore)
# internal/codecs has only tests, of other people's libraries.
modules=$(scripts/modules.sh --workspace | grep -vxF internal/codecs | sed 's,^,./,; s,$,/...,')
# Of the generators that bench/rivals compares one, muyo/sno, links on some platforms only.
built=$(grep -vxF './bench/rivals/...' <<<"$modules")

case "${1-}" in
  '') ;;
  --all) whole=("${platforms[@]}") ;;
  *) echo "usage: $0 [--all]" >&2; exit 2 ;;
esac

on() { GOOS=${1%/*} GOARCH=${1#*/} go "${@:2}"; }

for platform in "${platforms[@]}"; do
  if [[ " ${whole[*]} " == *" $platform "* ]]; then
    echo "build and vet $platform"
    on "$platform" build -ldflags=-w $built # linked faster
    on "$platform" vet $modules
  else
    echo "build $platform, what users import"
    on "$platform" build "${imported[@]}"
  fi
done
