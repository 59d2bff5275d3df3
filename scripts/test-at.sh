#!/usr/bin/env bash
# Runs tests with another date, without a line of this in the code that they test.
#
#   scripts/test-at.sh DATE [ARGUMENT OF GO TEST]...
#   scripts/test-at.sh 2036-01-01 ./...
#
# All Go programs of the tests, those that they start and build themselves too, are built
# with `go build -overlay`: two files of the standard library in which the clock is
# shifted, for time.Now in one, and for the C that became Go (SQLite) in the other. The
# servers, in C, Java and Go, get the same shift from clock-shift.c.
#
# Not shifted: the times of files, the browser, and programs such as git and date.
# synctest has a clock of its own.
set -euo pipefail

usage() { sed -n '2,/^set/{/^set/d;s/^# \{0,1\}//;p}' "$0" >&2; exit 2; }
[ $# -ge 1 ] || usage
[ "$(go env GOOS)" = linux ] || { echo "$0: Linux alone has clocks that this can shift" >&2; exit 1; }
then=$(date -u -d "$1" +%s) || usage
shift
seconds=$((then - $(date +%s)))
[ "$seconds" -ge 0 ] || { echo "$0: that date is over; tests can be taken ahead alone" >&2; exit 2; }

# Always in one place, so that what was built stays in Go's cache, and one that the users
# whom servers run as can read. GOFLAGS and LD_PRELOAD take no blanks and colons, which the
# version of a Go with experiments has.
src=$(go env GOROOT)/src
version=$(go env GOVERSION)
folder=/tmp/ringuid-test-clock-$(id -u)/${version//[!A-Za-z0-9.]/-}
mkdir -p "$folder"

# insert FILE FUNCTION LINE TEXT: FILE with TEXT behind the LINE of FUNCTION.
insert() {
  awk -v function_="$2" -v line="$3" -v text="$4" '
    index($0, function_) == 1 { within = 1 }
    { print }
    within && index($0, line) { print text; within = 0; done = 1 }
    END { exit !done }
  ' "$src/$1" || { echo "$0: $src/$1 has another shape than expected" >&2; exit 1; }
}

{
  insert time/time.go 'func Now() Time {' 'sec, nsec, mono :=' \
    '	if !runtimeIsBubbled() { sec += syscall.TestShift }' | sed 's/^import (/&\n\t"syscall"/'
} > "$folder/time.go"
{
  insert syscall/syscall_linux.go 'func RawSyscall6(' 'err = Errno(errno)' \
    '	if trap == SYS_CLOCK_GETTIME && a1 == 0 && errno == 0 { *(*int64)(unsafe.Pointer(a2)) += TestShift }'
  cat <<'GO'

// TestShift is how many seconds the tests are ahead of the clock.
var TestShift = func() (n int64) {
	value, _ := Getenv("UID_TEST_CLOCK_SHIFT")
	for _, digit := range []byte(value) {
		n = n*10 + int64(digit-'0')
	}
	return n
}()
GO
} > "$folder/syscall_linux.go"
printf '{"Replace": {"%s": "%s", "%s": "%s"}}\n' \
  "$src/time/time.go" "$folder/time.go" \
  "$src/syscall/syscall_linux.go" "$folder/syscall_linux.go" > "$folder/overlay.json"

$(go env CC) -shared -fPIC -O1 -o "$folder/clock-shift.so.$$" \
  "$(dirname "$0")/../internal/testserver/testdata/clock-shift.c" -ldl
mv "$folder/clock-shift.so.$$" "$folder/clock-shift.so" # servers may have the last one open

export UID_TEST_CLOCK_SHIFT=$seconds UID_TEST_CLOCK_PRELOAD=$folder/clock-shift.so
export GOFLAGS="${GOFLAGS-} -overlay=$folder/overlay.json"
echo "the tests' clock is at $(date -u -d "@$then" +%FT%TZ)" >&2
exec go test -count=1 "$@"
