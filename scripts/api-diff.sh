#!/usr/bin/env bash
# Shows what has changed in the exported API of each module since its last tag, or, before the
# first one, since a commit. From v1 on, a change that breaks those who import it is an error;
# before, names may change.
#
#   scripts/api-diff.sh COMMIT
set -euo pipefail
cd "$(dirname "$0")/.."

folder=$(mktemp -d)
leave() {
  git worktree remove --force "$folder/base" 2>/dev/null || true
  rm -rf "$folder"
}
trap leave EXIT
GOWORK=off go build -C tools -o "$folder/apidiff" golang.org/x/exp/cmd/apidiff

# export_of FOLDER FILE writes down the API of the module there. Apidiff wants to be run
# where its go.mod is.
export_of() {
  local path
  path=$(awk '$1 == "module" { print $2 }' "$1/go.mod")
  (cd "$1" && "$folder/apidiff" -m -w "$2" "$path")
}

failed=0
for module in $(scripts/modules.sh --tagged); do
  prefix=$module/
  if [ "$module" = . ]; then prefix=; fi
  tag=$(git describe --tags --abbrev=0 --match "${prefix}v[0-9]*" 2>/dev/null || true)
  if [ -z "$tag" ]; then tag=${1:?no tag yet: which commit is to be compared with?}; fi
  git worktree add --quiet --detach "$folder/base" "$tag"
  export_of "$folder/base/$module" "$folder/old"
  export_of "$module" "$folder/new"
  git worktree remove --force "$folder/base"

  echo "$module: since $tag"
  "$folder/apidiff" -m "$folder/old" "$folder/new"
  broken=$("$folder/apidiff" -m -incompatible "$folder/old" "$folder/new")
  version=${tag#"$prefix"}
  if [ -n "$broken" ] && [[ $version == v[1-9]* ]]; then
    echo "$module: this breaks who imports $tag; that is for a new major version" >&2
    failed=1
  fi
done
exit "$failed"
