#!/usr/bin/env bash
# Builds the API server of Kubernetes that the tests of worker/k8sstore start, and the kubectl
# of the documentation's commands, into the user's cache folder, unless they are there: some
# eight minutes on one processor.
set -euo pipefail
cd "$(dirname "$0")/../worker/k8sstore/testdata/apiserver"

version=$(sed -n 's/^\tk8s.io\/kubernetes \(v[0-9.]*\)$/\1/p' go.mod)
cache="${XDG_CACHE_HOME:-${HOME-}/.cache}/ringuid-testserver"
mkdir -p "$cache"
for program in kube-apiserver kubectl; do
  to="$cache/$program-$version"
  if [ -x "$to" ]; then continue; fi
  echo "building $program $version, which takes some minutes" >&2
  GOWORK=off go build -ldflags '-s -w' -o "$to.new" "./$program"
  mv "$to.new" "$to"
done
