#!/usr/bin/env bash
# Builds the API server of Kubernetes that the tests of worker/k8sstore start, into the
# user's cache folder, unless it is there: some six minutes on one processor.
set -euo pipefail
cd "$(dirname "$0")/../worker/k8sstore/testdata/apiserver"

version=$(sed -n 's/^\tk8s.io\/kubernetes \(v[0-9.]*\)$/\1/p' go.mod)
to="${XDG_CACHE_HOME:-${HOME-}/.cache}/ringuid-testserver/kube-apiserver-$version"
if [ -x "$to" ]; then exit; fi
echo "building kube-apiserver $version, which takes some minutes" >&2
mkdir -p "$(dirname "$to")"
GOWORK=off go build -ldflags '-s -w' -o "$to.new" .
mv "$to.new" "$to"
