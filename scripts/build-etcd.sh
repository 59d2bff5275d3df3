#!/usr/bin/env bash
# Builds an etcd newer than Debian's, and its tools, into the user's cache folder, unless they
# are there: two minutes of one processor. test-current runs it, and the API server of
# test-kubernetes stands on it. Prints their folder.
set -euo pipefail
cd "$(dirname "$0")/../worker/etcdstore/testdata/etcd"

version=$(GOWORK=off go list -m -f '{{.Version}}' go.etcd.io/etcd/server/v3)
home="${XDG_CACHE_HOME:-${HOME-}/.cache}/ringuid-testserver/etcd-$version"
if [ ! -e "$home/versions" ]; then
  echo "building etcd $version, which takes some minutes" >&2
  mkdir -p "${home%/*}"
  half=$(mktemp -d "$home.XXXXXX")
  GOWORK=off go build -ldflags '-s -w' -o "$half/bin/" go.etcd.io/etcd/{server,etcdctl,etcdutl}/v3
  mv "$half/bin/server" "$half/bin/etcd"
  "$half/bin/etcd" --version | sed -nE 's/^etcd Version: /etcd /p' >"$half/versions"
  chmod 755 "$half"
  [ -e "$home/versions" ] || rm -rf "$home" # what an earlier version of this left
  if [ -e "$home" ]; then rm -rf "$half"; else mv "$half" "$home"; fi
fi
cat "$home/versions" >&2
echo "$home/bin"
