#!/usr/bin/env bash
# Builds what a release offers for download, from the tree as it would be published: ringuid
# for the usual platforms with what it is made of (SBOM, CycloneDX), an image without a base
# (OCI layout), and checksums. It publishes nothing.
#
#   scripts/release-files.sh VERSION FOLDER
set -euo pipefail
cd "$(dirname "$0")/.."

version=${1:?which version? Type: scripts/release-files.sh v0.2.0 FOLDER}
mkdir -p "${2:?which folder? It must be new or empty}"
folder=$(cd "$2" && pwd)
[ -z "$(ls -A "$folder")" ] || { echo "$folder is not empty" >&2; exit 1; }

work=$(mktemp -d)
trap 'chmod -R u+w "$work"; rm -rf "$work"' EXIT
for tool in ./image github.com/CycloneDX/cyclonedx-gomod/cmd/cyclonedx-gomod; do
  GOWORK=off go build -C tools -o "$work/" "$tool"
done

path=$(awk '$1 == "module" { print $2 }' go.mod)
settings=$(go run ./internal/moduleproxy "$work/published")
while read -r setting; do export "${setting?}"; done <<<"$settings"
export GOPATH=$work/go CGO_ENABLED=0
own=$(go env GOOS)_$(go env GOARCH)
for platform in linux/amd64 linux/arm64 darwin/amd64 darwin/arm64 windows/amd64 windows/arm64; do
  os=${platform%/*} arch=${platform#*/} end=
  [ "$os" != windows ] || end=.exe
  GOOS=$os GOARCH=$arch go install -ldflags='-s -w' "$path/cmd/ringuid@$version"
  place=$GOPATH/bin/${os}_$arch
  [ "${os}_$arch" != "$own" ] || place=$GOPATH/bin
  file=$folder/ringuid-$os-$arch$end
  mv "$place/ringuid$end" "$file"
  "$work/cyclonedx-gomod" bin -json -output "$file.cdx.json" -version "$version" "$file"
done
"$work/image" "$folder/image" "$folder/ringuid-linux-amd64" "$folder/ringuid-linux-arm64"
tar -C "$folder/image" -cf "$folder/ringuid-image.tar" --sort=name --mtime=@0 --owner=0 --group=0 .
rm -r "$folder/image"
(cd "$folder" && sha256sum -- ringuid-* >SHA256SUMS)
