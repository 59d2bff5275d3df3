#!/bin/bash -eu
# Builds each fuzz target as OSS-Fuzz asks. License: http://www.apache.org/licenses/LICENSE-2.0
export GOWORK=off # else go get changes the workspace
go get github.com/AdamKorcz/go-118-fuzz-build/testing
grep -roE '^func Fuzz\w+' --include='*_test.go' . | sed -E 's,^\./(.*)/[^/]*:func ,\1 ,' |
  while read -r package target; do
    compile_native_go_fuzzer "github.com/ringuid/ringuid/$package" "$target" "${package//\//_}_$target"
  done
