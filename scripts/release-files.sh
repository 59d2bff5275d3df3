#!/usr/bin/env bash
# Builds what a release offers for download, from the modules as they are published: ringuid
# for the usual platforms with what it is made of (SBOM, CycloneDX), and checksums.
#
#   scripts/release-files.sh v0.2.0 NEW-FOLDER
set -euo pipefail

sbom=$(GOWORK=off go -C "$(dirname "$0")/../tools" tool -n cyclonedx-gomod)
mkdir "$2"
cd "$2"
export CGO_ENABLED=0 GOWORK=off GOFLAGS="${GOFLAGS-} -trimpath"
GOMODCACHE=$(go env GOMODCACHE) && export GOMODCACHE
for platform in {linux,darwin,windows}/{amd64,arm64}; do
  os=${platform%/*} arch=${platform#*/} end=
  [ "$os" != windows ] || end=.exe
  GOPATH=$PWD/go GOOS=$os GOARCH=$arch \
    go install -ldflags='-s -w' "github.com/ringuid/ringuid/cmd/ringuid@$1"
  file=ringuid-$os-$arch$end
  mv "$(find go/bin -type f)" "$file"
  "$sbom" bin -json -output "$file.cdx.json" -version "$1" "$file"
done
rm -r go
sha256sum -- ringuid-* >SHA256SUMS
