#!/usr/bin/env bash
# Installs what the tests start and what is missing of it, on Debian and Ubuntu: servers,
# Prometheus's promtool, a C compiler for the race detector. Prints which are there, for
# UID_TEST_REQUIRE; all else goes to stderr. Elsewhere it installs nothing: a test that is skipped
# says what it needs.
set -euo pipefail

# name, program or file, packages; arguments are more such lines
programs="$(printf '%s\n' "$@")"'
mariadb    mariadbd                           mariadb-server
postgresql /usr/lib/postgresql/*/bin/postgres postgresql
pgbouncer  pgbouncer                          pgbouncer
redis      redis-server                       redis-server
etcd       etcd                               etcd-server
etcdctl    etcdctl                            etcd-client
zookeeper  /usr/share/java/zookeeper.jar      zookeeper
java       java                               default-jre-headless
promtool   promtool                           prometheus
php-redis  /usr/lib/php/*/redis.so            php-cli php-redis
python3-redis /usr/lib/python3/dist-packages/redis python3-redis
node-redis /usr/share/nodejs/redis            node-redis
buildah    buildah                            buildah
gcc        gcc                                gcc libc6-dev
'
PATH=$PATH:/usr/sbin

say() { printf '%s\n' "$*" >&2; }

look() {
  there=() missing=()
  local name program packages
  while read -r name program packages; do
    if compgen -G "$program" >/dev/null || command -v "$program" >/dev/null; then
      there+=("$name")
    else
      # shellcheck disable=SC2206
      missing+=($packages)
    fi
  done < <(grep . <<<"$programs")
}

as_root() {
  if [ "$(id -u)" -eq 0 ]; then "$@"; else sudo "$@"; fi
}

apt() {
  as_root env DEBIAN_FRONTEND=noninteractive apt-get -o "Dir::Cache::archives=$archives" \
    -o DPkg::Lock::Timeout=300 -o Acquire::Retries=3 -q -y "$@" >&2
}

install() {
  say "installing: ${missing[*]}"
  # Others, such as the hooks of an image for containers, may empty the usual folder of archives
  # in the middle of an installation.
  archives=$(mktemp -d)
  made=("$archives")
  trap 'as_root rm -rf "${made[@]}"' EXIT
  mkdir "$archives/partial"
  chmod 755 "$archives" # apt-get downloads as a user of its own
  # Debian starts a service as it installs it, unless this says no. The tests start servers of
  # their own, on other ports.
  local policy=/usr/sbin/policy-rc.d
  if [ ! -e "$policy" ]; then
    made+=("$policy")
    printf '#!/bin/sh\nexit 101\n' | as_root tee "$policy" >/dev/null
    as_root chmod 755 "$policy"
  fi

  # Again, if it fails, since apt-get does not wait for all locks of another. What it leaves half
  # done makes each later one fail until it is repaired.
  local try
  for try in 1 2 3 4; do
    apt update || true # those that it has may do
    if apt install --no-install-recommends --no-remove "${missing[@]}"; then return; fi
    say "apt-get failed $try times; repairing"
    sleep 15
    as_root env DEBIAN_FRONTEND=noninteractive dpkg --configure -a </dev/null >&2 || true
    apt install --fix-broken || true
  done
  say "apt-get cannot install ${missing[*]}. \`go test ./...\` runs the tests that need no server."
  exit 1
}

look
if [ "${#missing[@]}" -gt 0 ] && command -v apt-get >/dev/null; then
  if [ "$(id -u)" -eq 0 ] || command -v sudo >/dev/null; then
    install
    look
  fi
fi
[ "${#missing[@]}" -eq 0 ] || say "missing, and tests are skipped: ${missing[*]}"
(IFS=,; echo "${there[*]-}")
