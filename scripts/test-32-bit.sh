#!/usr/bin/env bash
# go test with words of 32 bits: on this kernel, or, where that runs no such programs, in
# qemu-arm. Where that is missing too, the tests are built and not run, and it says so.
#
#   scripts/test-32-bit.sh FLAG|PACKAGE...
set -euo pipefail
[ $# -gt 0 ] || { echo "usage: $0 FLAG|PACKAGE..." >&2; exit 2; }

probe=$(mktemp -d)
trap 'rm -rf "$probe"' EXIT
printf 'package main\n\nfunc main() {}\n' >"$probe/main.go"
GOWORK=off GOARCH=386 CGO_ENABLED=0 go build -o "$probe/main" "$probe/main.go"

export CGO_ENABLED=0
if "$probe/main" 2>/dev/null; then
  GOARCH=386 go test "$@"
elif command -v qemu-arm >/dev/null; then # Go crashes in qemu-i386
  echo "this kernel runs no 386 programs, so this is arm, in qemu-arm"
  GOARCH=arm go test -exec qemu-arm "$@"
else
  GOARCH=386 go test -exec true "$@"
  echo "NOT RUN, only built: this kernel runs no 386 programs, and there is no qemu-arm:" \
    "apt-get install qemu-user" >&2
fi
