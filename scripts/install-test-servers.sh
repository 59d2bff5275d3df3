#!/usr/bin/env bash
# Installs the servers that the tests start, the browser, and Prometheus's promtool,
# those that are missing, on Debian and Ubuntu. Elsewhere it says which are missing and how
# to get them.
#
#   scripts/install-test-servers.sh [--dry-run]
#
# Prints what UID_TEST_REQUIRE is to be: "all", or those that are there.
# Everything else it says goes to stderr. --dry-run installs nothing.
set -euo pipefail

dry_run=false
case "${1-}" in
  '') ;;
  --dry-run) dry_run=true ;;
  *) echo "usage: $0 [--dry-run]" >&2; exit 2 ;;
esac

say() { printf '%s\n' "$*" >&2; }
have() { command -v "$1" >/dev/null 2>&1; }
on_ubuntu() { grep -qs '^ID=ubuntu' /etc/os-release; }

# any_runs PROGRAM...: is there one that is more than a stub?
any_runs() {
  local program
  for program; do
    if have "$program" && "$program" --version >/dev/null 2>&1; then return; fi
  done
  return 1
}

# Where the tests look for the API server of Kubernetes.
cache="${XDG_CACHE_HOME:-${HOME-}/.cache}/ringuid-testserver"

# there NAME: is it installed? The tests look in the same places.
there() {
  case "$1" in
    mariadb) { have mariadbd || [ -x /usr/sbin/mariadbd ]; } && have mariadb-install-db ;;
    postgresql) have postgres || compgen -G '/usr/lib/postgresql/*/bin/postgres' >/dev/null ;;
    redis) have redis-server ;;
    etcd) have etcd && have etcdctl ;;
    mysql) # what MariaDB brings on Debian has the same name
      local program
      for program in mysqld /usr/sbin/mysqld /usr/local/mysql/bin/mysqld; do
        if "$program" --version 2>/dev/null | grep -qv MariaDB; then return; fi
      done
      return 1
      ;;
    zookeeper) [ -r /usr/share/java/zookeeper.jar ] && have java ;;
    chromium)
      any_runs chromium chromium-browser google-chrome google-chrome-stable \
        '/Applications/Chromium.app/Contents/MacOS/Chromium' \
        '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome'
      ;;
    promtool) have promtool ;;
    kubernetes) compgen -G "$cache/kube-apiserver-v*" >/dev/null && compgen -G "$cache/kubectl-v*" >/dev/null ;;
    gcc) have "$(go env CC 2>/dev/null || echo gcc)" ;; # for the race detector
  esac
}

# packages NAME: what Debian calls it; nothing where apt-get has no good one. What
# Ubuntu calls chromium is a stub for a snap, which may not open the tests' files.
packages() {
  case "$1" in
    mariadb) echo mariadb-server ;;
    postgresql) echo postgresql ;;
    redis) echo redis-server ;;
    etcd) echo etcd-server etcd-client ;;
    zookeeper) echo zookeeper default-jre-headless ;;
    chromium) on_ubuntu || echo chromium fonts-liberation ;;
    promtool) echo prometheus ;;
    gcc) echo gcc libc6-dev ;;
  esac
}

elsewhere() {
  case "$1" in
    mariadb) echo 'brew install mariadb, or https://mariadb.org/download' ;;
    postgresql) echo 'brew install postgresql, or https://www.postgresql.org/download' ;;
    redis) echo 'brew install redis, or https://redis.io/download' ;;
    etcd) echo 'brew install etcd, or https://github.com/etcd-io/etcd/releases' ;;
    mysql) echo 'make test-current unpacks it on Debian; brew install mysql, or https://dev.mysql.com/downloads' ;;
    zookeeper) echo 'its jar as /usr/share/java/zookeeper.jar, and a java on PATH' ;;
    chromium) echo 'brew install chromium, or google-chrome-stable from https://www.google.com/chrome' ;;
    promtool) echo 'brew install prometheus, or https://prometheus.io/download' ;;
    kubernetes) echo 'make test-kubernetes builds its API server, which takes some minutes' ;;
    gcc) echo 'a C compiler, for the race detector' ;;
  esac
}

servers=(mariadb mysql postgresql redis etcd zookeeper chromium promtool kubernetes)
missing=()
look() {
  missing=()
  local name
  for name in "${servers[@]}" gcc; do
    there "$name" || missing+=("$name")
  done
}

as_root() {
  if [ "$(id -u)" -eq 0 ]; then "$@"; else sudo "$@"; fi
}

# Debian starts a service as it installs it, unless this says no. The tests start
# servers of their own, on other ports.
policy=/usr/sbin/policy-rc.d
start_no_services() {
  [ ! -e "$policy" ] || return 0
  made+=("$policy")
  printf '#!/bin/sh\nexit 101\n' | as_root tee "$policy" >/dev/null
  as_root chmod 755 "$policy"
}

# Others, such as the hooks of an image for containers, may empty the usual folder of archives
# in the middle of an installation.
own_archives() {
  archives=$(mktemp -d)
  made+=("$archives")
  mkdir "$archives/partial"
  chmod 755 "$archives" # apt-get downloads as a user of its own
}

made=()
trap '[ "${#made[@]}" -eq 0 ] || as_root rm -rf "${made[@]}"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

apt() {
  as_root env DEBIAN_FRONTEND=noninteractive apt-get -o "Dir::Cache::archives=$archives" \
    -o DPkg::Lock::Timeout=300 -o Acquire::Retries=3 -q -y "$@" >&2
}

# apt_install PACKAGE...: again, if it fails, since apt-get does not wait for all locks of
# another. What it leaves half done makes each later one fail until it is repaired.
apt_install() {
  local tries=4 try sudo=
  for ((try = 1; ; try++)); do
    apt update || true # those that it has may do
    if apt install --no-install-recommends "$@"; then return; fi
    if [ "$try" -eq "$tries" ]; then break; fi
    say "apt-get failed; repairing, then try $((try + 1)) of $tries"
    sleep 15
    as_root env DEBIAN_FRONTEND=noninteractive dpkg --configure -a </dev/null >&2 || true
    apt install --fix-broken || true
  done
  [ "$(id -u)" -eq 0 ] || sudo='sudo '
  say "apt-get failed $tries times. When what it says above is mended, type:"
  say "  ${sudo}dpkg --configure -a"
  say "  ${sudo}apt-get install --fix-broken"
  say "  ${sudo}apt-get update"
  say "  ${sudo}apt-get install --no-install-recommends $*"
  say "\`go test ./...\` runs the tests that need no server."
  exit 1
}

install() {
  local wanted=() name
  for name in "${missing[@]}"; do
    # Package names have no spaces.
    # shellcheck disable=SC2207
    wanted+=($(packages "$name"))
  done
  [ "${#wanted[@]}" -gt 0 ] || return 0
  say "installing: ${wanted[*]}"
  if $dry_run; then return; fi
  start_no_services
  own_archives
  apt_install "${wanted[@]}"
}

look
if [ "${#missing[@]}" -gt 0 ] && have apt-get && { [ "$(id -u)" -eq 0 ] || have sudo; }; then
  install
  look
fi

for name in "${missing[@]}"; do
  from_apt=$(packages "$name")
  say "missing: $name ($(elsewhere "$name"))${from_apt:+; on Debian or Ubuntu: apt-get install $from_apt}"
done

present=()
for name in "${servers[@]}"; do
  if there "$name"; then present+=("$name"); fi
done
if [ "${#present[@]}" -eq "${#servers[@]}" ]; then
  echo all
else
  (IFS=,; echo "${present[*]-}")
fi
