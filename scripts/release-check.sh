#!/usr/bin/env bash
# Checks that a version can be released, and prints the commands that release it. It
# changes nothing and pushes nothing. RELEASING.md is what to do before and after.
#
#   scripts/release-check.sh VERSION   such as v0.2.0
set -euo pipefail
cd "$(dirname "$0")/.."

version=${1-}
if [ -z "$version" ]; then
  echo "which version? Type: make release-check VERSION=v0.2.0" >&2
  exit 2
fi
if ! [[ $version =~ ^v(0|[1-9][0-9]*)(\.(0|[1-9][0-9]*)){2}(-[0-9A-Za-z.-]+)?$ ]]; then
  echo "$version is no version: type v, three numbers, and what a pre-release has behind a" \
    "dash, such as v0.2.0 or v0.3.0-rc.1" >&2
  exit 2
fi
if ! [[ $version =~ ^v[01]\. ]]; then
  echo "$version: from v2 on the paths of the modules end in /v2; change them first" >&2
  exit 2
fi

problems=0
problem() { echo "not ready: $*" >&2; problems=$((problems + 1)); }

# stop_if_not_ready ends this when something was found: what comes next takes minutes.
stop_if_not_ready() {
  if [ "$problems" -gt 0 ]; then
    echo "$version cannot be released yet; RELEASING.md says how to get there" >&2
    exit 1
  fi
}

# tag_of MODULE is what Go looks for: the root's version alone, the others' behind
# their folder.
tag_of() { if [ "$1" = . ]; then echo "$version"; else echo "$1/$version"; fi; }

tags=()
for module in $(scripts/modules.sh --tagged); do tags+=("$(tag_of "$module")"); done

clean() { [ -z "$(git status --porcelain)" ]; }
clean || problem "the tree is not clean: commit, or stash, what git status shows"

# The section's first line, such as: ## v0.2.0 - 2026-12-01
heading=$(grep -E "^## ${version//./\\.}( |$)" CHANGELOG.md || true)
date=${heading#"## $version - "}
says_something() {
  awk -v heading="$heading" '/^## / { in_it = $0 == heading } in_it && /^- / { found = 1 }
    END { exit !found }' CHANGELOG.md
}
if [ -z "$heading" ] || ! [[ $date =~ ^[0-9]{4}-[0-9]{2}-[0-9]{2}$ ]]; then
  problem "CHANGELOG.md has no section \"## $version - $(date -u +%F)\""
elif ! says_something; then
  problem "CHANGELOG.md says nothing about $version"
fi

there=$(git tag --list)
if git remote get-url origin >/dev/null 2>&1; then
  there+=$'\n'$(git ls-remote --tags --refs origin | sed 's,.*refs/tags/,,') ||
    problem "origin does not tell its tags"
fi
for tag in "${tags[@]}"; do
  if grep -Fxq "$tag" <<<"$there"; then
    problem "there is a tag $tag already: a published version is never moved, take the next"
  fi
done
stop_if_not_ready

# What is published asks for what is published with it.
path=$(awk '$1 == "module" { print $2 }' go.mod)
for module in $(scripts/modules.sh); do
  others=$(awk -v path="$path" -v version="$version" \
    'index($1, path) == 1 && $2 ~ /^v/ && $2 != version { print $1, $2 }' "$module/go.mod")
  [ -z "$others" ] || problem "$module requires $others: type make tidy VERSION=$version"
done
scripts/tidy.sh --check >&2 || problem "a module is not tidy, or does not build by itself"
stop_if_not_ready
go test -count 1 ./internal/moduleproxy >&2 || problem "who imports uid gets more than that"
make lint >&2 || problem "make lint fails"
files=$(mktemp -d)
scripts/release-files.sh "$version" "$files" >&2 || problem "the files for download cannot be built"
clean || problem "these checks have changed the tree: see git status"
stop_if_not_ready

echo "# $version can be released. Its files for download are in $files. To release it:"
for tag in "${tags[@]}"; do echo "git tag -a $tag -m '$tag'"; done
echo "git push --atomic origin ${tags[*]}"
