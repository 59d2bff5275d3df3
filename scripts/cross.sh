#!/usr/bin/env bash
# Builds everything for every platform that is promised, and type-checks the tests
# of one platform per operating system.
set -euo pipefail

export CGO_ENABLED=0
platforms=(
  linux/amd64 linux/arm64 linux/386
  windows/amd64 windows/arm64 windows/386
  darwin/amd64 darwin/arm64
)
for platform in "${platforms[@]}"; do
  echo "build $platform"
  GOOS=${platform%/*} GOARCH=${platform#*/} go build ./...
done
for platform in linux/386 windows/amd64 darwin/arm64; do
  echo "vet $platform"
  GOOS=${platform%/*} GOARCH=${platform#*/} go vet ./...
done
