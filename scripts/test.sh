#!/usr/bin/env bash
# Runs go test -json, once or more, each shown by gotestsum: packages as they finish, failures at
# once, and what was skipped, and why, at the end.
#
#   scripts/test.sh go test -json ./a/... --then go test -json ./b --beside go test -json -race ./c
#
# Commands with --beside between them run at once; those behind --then, when all before them
# have passed.
set -euo pipefail

format=pkgname-and-test-fails
case " $* " in *' -v '*) format=standard-verbose ;; esac
gotestsum=$(GOWORK=off go -C "$(dirname "$0")/../tools" tool -n gotestsum)
# What does not compile is shown at once, too.
export GODEBUG="${GODEBUG:+$GODEBUG,}gotestjsonbuildtext=1"

# show COMMAND...: in a process group of its own, so that all of it can be ended.
started=()
show() {
  echo "+ $*"
  set -m
  "$gotestsum" --raw-command --format "$format" --format-hide-empty-pkg \
    --post-run-command 'bash -c "[ $TESTS_TOTAL != 0 ] || { echo no test ran; exit 1; }"' -- "$@" &
  set +m
  started+=($!)
}
end() {
  local group
  for group in "${started[@]}"; do kill -INT -- "-$group" 2>/dev/null || true; done
}
trap end EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

failed=0 command=()
for arg in "$@" --then; do
  case $arg in
    --then | --beside) show "${command[@]}"; command=() ;;
    *) command+=("$arg") ;;
  esac
  if [ "$arg" = --then ]; then
    for group in "${started[@]}"; do wait "$group" || failed=1; done
    started=()
    if [ "$failed" = 1 ]; then break; fi
  fi
done
exit "$failed"
