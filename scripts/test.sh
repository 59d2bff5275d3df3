#!/usr/bin/env bash
# Runs go test, once or more, as one: gotestsum shows each package as it finishes, and failures
# at once; this says within ten seconds, and then every thirty, what is running, and at the end
# all failures again, and the totals.
#
#   scripts/test.sh go test -json ./a/... --then go test -json ./b --beside go test -json -race ./c
#
# Commands with --beside between them run at once; those behind --then, when all before them
# have passed.
set -euo pipefail

format=pkgname-and-test-fails
case " $* " in *' -v '*) format=standard-verbose ;; esac
plain=true
if [ -t 1 ] && [ -z "${CI-}" ]; then plain=false; fi
events=$(mktemp -d) # what go test -json says, a file for each go test

# beside COMMAND...: in a process group of its own, so that all of it can be ended.
started=()
beside() {
  set -m
  "$@" &
  set +m
  started+=($!)
}
# tell SIGNAL: was anybody left to tell?
tell() {
  local group left=1
  for group in "${started[@]}"; do kill "-$1" -- "-$group" 2>/dev/null && left=0; done
  return "$left"
}
end() {
  kill -- "-${started[0]-}" 2>/dev/null || true
  tell INT || true # at which go test removes what it has built
  for _ in {1..100}; do tell 0 || break; sleep 0.1; done
  tell KILL || true # a test may take an interrupt for its own
  rm -rf "$events"
}
trap end EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

# count ARGUMENT...: the packages of each command, which it names last, by paths.
count() {
  local arg paths=()
  for arg in "$@" --then; do
    case $arg in
      --then | --beside) go list -find "${paths[@]}" || return; paths=() ;;
      .*) paths+=("$arg") ;;
      -*) ;;
      *) paths=() ;;
    esac
  done | wc -l
}

read_events() {
  awk -f "${BASH_SOURCE%.sh}.awk" -v elapsed="$SECONDS" -v now="$(date +%T)" \
    -v packages="$(cat "$events/count" 2>/dev/null)" \
    -v module="^$(sed -n 's/^module //p' go.mod)/" "$@" /dev/null "$events"/*.json
}

show_progress() {
  trap exit TERM
  exec 2>/dev/null # where bash says what was ended
  { count "$@" >"$events/counting" && mv "$events/counting" "$events/count"; } 2>/dev/null &
  sleep 5
  while true; do
    read_events
    sleep 25
  done
}

# show NUMBER COMMAND...
show() {
  echo "+ ${*:2}"
  "$gotestsum" --raw-command --format "$format" --format-hide-empty-pkg --no-color="$plain" \
    --hide-summary skipped,failed --jsonfile "$events/$1.json" -- "${@:2}" |
    { grep --line-buffered -vE '^(DONE .*)?$' || true; } # there are totals of all at the end
}

shopt -s nullglob
beside show_progress "$@"
echo "building gotestsum, which shows what the tests do, unless it is built"
gotestsum=$(GOWORK=off go -C "$(dirname "$0")/../tools" tool -n gotestsum)
# What does not compile is shown at once, too.
export GODEBUG="${GODEBUG:+$GODEBUG,}gotestjsonbuildtext=1"
failed=0 number=0 command=()
for arg in "$@" --then; do
  case $arg in
    --then | --beside) beside show $((++number)) "${command[@]}"; command=() ;;
    *) command+=("$arg") ;;
  esac
  if [ "$arg" = --then ]; then
    for group in "${started[@]:1}"; do wait "$group" || failed=1; done
    started=("${started[0]}") # another process may get the number of one that has ended
    if [ "$failed" = 1 ]; then break; fi
  fi
done

kill -- "-${started[0]}" || true
wait
started=()

# Several may have tested the same package.
for ((i = 1; i <= number; i++)); do
  label=" [$i]"
  if [ "$number" = 1 ]; then label=; fi
  sed "s/\"Package\":\"[^\"]*/&$label/" "$events/$i.json"
done >"$events/all"
summary=$("$gotestsum" --raw-command --format none --no-color="$plain" --hide-summary skipped \
  -- cat "$events/all")
read_events -v totals=1 | LC_ALL=C sort
echo "$summary"
case $summary in
  *'DONE 0 tests'*) echo "no test ran"; failed=1 ;;
esac
exit "$failed"
