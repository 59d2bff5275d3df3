#!/usr/bin/env bash
# Checks that a version can be released, and prints the commands that release it. It
# changes nothing and pushes nothing. RELEASING.md is what to do before and after.
#
#   scripts/release-check.sh v0.2.0
set -euo pipefail
cd "$(dirname "$0")/.."

version=${1-}
fail() { echo "not ready: $*" >&2; exit 1; }
clean() { [ -z "$(git status --porcelain)" ] || fail "the tree is not clean: see git status"; }

[[ $version =~ ^v[01](\.(0|[1-9][0-9]*)){2}(-[0-9A-Za-z.-]+)?$ ]] ||
  fail "VERSION=$version: type one such as v0.2.0 or v0.3.0-rc.1; from v2 on paths end in /v2"
clean
scripts/release-notes.sh "$version" >/dev/null ||
  fail "CHANGELOG.md has no entries in a section \"## $version - $(date -u +%F)\""

# The root's tag is the version alone, the others' stand behind their folder.
tags=()
while read -r _ _ arrow folder; do
  folder=${folder#./}
  [ "$arrow" != '=>' ] || tags+=("${folder:+$folder/}$version")
done <go.work
there=$(git tag --list; git ls-remote --tags --refs origin | sed 's,.*refs/tags/,,')
for tag in "${tags[@]}"; do
  ! grep -Fxq "$tag" <<<"$there" || fail "there is a tag $tag: a version is never moved, take the next"
done
others=$(git grep -hE '^(require )?\s*github.com/ringuid/ringuid\S* v' -- go.work '*go.mod' | grep -vF " $version" || true)
[ -z "$others" ] || fail "make tidy VERSION=$version changes$others"

make tidy-check lint >&2
UID_RELEASE=1 go test -count 1 -timeout 1h -run 'WhoImportsUID|Installed|Download' ./internal/docs >&2
clean
echo "# $version can be released:"
for tag in "${tags[@]}"; do echo "git tag -a $tag -m '$tag'"; done
echo "git push --atomic origin ${tags[*]}"
echo "gh workflow run release.yml --ref $version"
