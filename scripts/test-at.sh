#!/usr/bin/env bash
# Runs tests on another date, at this time of day, on Linux.
#
#   scripts/test-at.sh 2036-06-01 go test -count 1 ./...
#
# Programs in Go are built with two files of the standard library in which the clock is ahead,
# for time.Now in one, and for the C that became Go (SQLite) in the other. The servers get the
# same clock from clock-shift.c. Tests of internal/testserver fail if the two differ.
#
# Not ahead: the times of files, and programs such as git and date.
set -euo pipefail

ahead=$((($(date -u -d "$1" +%s) - $(date -u +%s)) / 86400 * 86400)) # whole days, for Go's cache
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
chmod 755 "$folder" # servers run as other users
src=$(go env GOROOT)/src

sed "s/^\tsec, nsec, mono := runtimeNow()$/&\n\tif !runtimeIsBubbled() { sec += $ahead }/" \
  "$src/time/time.go" >"$folder/time.go"
sed "/^func RawSyscall6(/,/^}/s/^\terr = Errno(errno)$/&\n\tif trap == SYS_CLOCK_GETTIME \&\& \
a1 == 0 \&\& errno == 0 { *(*int64)(unsafe.Pointer(a2)) += $ahead }/" \
  "$src/syscall/syscall_linux.go" >"$folder/syscall.go"
printf '{"Replace": {"%s": "%s", "%s": "%s"}}\n' "$src/time/time.go" "$folder/time.go" \
  "$src/syscall/syscall_linux.go" "$folder/syscall.go" >"$folder/overlay.json"
$(go env CC) -shared -fPIC -O1 -o "$folder/clock-shift.so" \
  "$(dirname "$0")/../internal/testserver/testdata/clock-shift.c" -ldl

export UID_TEST_CLOCK_SHIFT=$ahead UID_TEST_CLOCK_PRELOAD=$folder/clock-shift.so
export GOFLAGS="${GOFLAGS-} -overlay=$folder/overlay.json"
shift
"$@"
