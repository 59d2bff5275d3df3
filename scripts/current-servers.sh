#!/usr/bin/env bash
# Unpacks the servers that Debian's unstable suite has today beside the system, and prints
# the folder that they are in; what they are goes to stderr. Nothing is installed: they run
# on libraries of their own.
#
#   scripts/current-servers.sh [--refresh]
#   servers=$(scripts/current-servers.sh)
#   UID_TEST_SERVERS=$servers/bin:$servers/zookeeper go test ./worker/...
#   UID_TEST_SERVERS=$servers/valkey go test ./worker/redisstore
#
# They are kept in /var/cache for root, since PostgreSQL runs as nobody, and in the user's
# cache folder for anybody else. --refresh gets what is newer; so does a change of this file.
set -euo pipefail

say() { printf '%s\n' "$*" >&2; }
die() { say "$*"; exit 1; }

case "${1-}" in
  '' | --refresh) ;;
  *) echo "usage: $0 [--refresh]" >&2; exit 2 ;;
esac

if [ "$(id -u)" -eq 0 ]; then
  home=/var/cache/ringuid-testserver/current
else
  home="${XDG_CACHE_HOME:-$HOME/.cache}/ringuid-testserver/current"
fi

report() {
  say "servers of Debian unstable in $home:"
  sed 's/^/  /' "$home/versions" >&2
  echo "$home"
}

if [ "${1-}" != --refresh ] && [ -f "$home/versions" ] && cmp -s "$0" "$home/recipe"; then
  report
  exit
fi

keyring=/usr/share/keyrings/debian-archive-keyring.gpg
[ -r "$keyring" ] || die "$keyring is missing: on Ubuntu, apt-get install debian-archive-keyring"
command -v apt-get >/dev/null || die "there is no apt-get: this gets packages of Debian"

# The mirror that this machine's own apt uses, if it is one of Debian's.
mirror=$(cat /etc/apt/sources.list /etc/apt/sources.list.d/* 2>/dev/null |
  grep -v '^ *#' | grep -Eo 'https?://[^ ]+/debian/?( |$)' | head -n 1 | tr -d ' ' || true)
mirror=${mirror:-http://deb.debian.org/debian}

mkdir -p "$(dirname "$home")"
work=$(mktemp -d "$home.XXXXXX")
trap 'rm -rf "$work" "$work.old"' EXIT
PATH="$home/bin:$PATH"
chmod 755 "$work"
mkdir -p "$work"/apt/lists/partial "$work"/apt/cache/archives/partial "$work"/debs "$work"/root "$work"/{bin,valkey,zookeeper}
touch "$work/apt/status" # an empty one, so that all libraries come along, libc too
echo "deb [signed-by=$keyring] $mirror sid main" >"$work/apt/sources.list"

private() { # COMMAND ARG...: apt-get or apt-cache that knows unstable alone
  "$1" -o "Dir::Etc::sourcelist=$work/apt/sources.list" -o Dir::Etc::sourceparts=- \
    -o "Dir::State::lists=$work/apt/lists" -o "Dir::Cache=$work/apt/cache" \
    -o "Dir::State::status=$work/apt/status" -o Acquire::Languages=none \
    -o APT::Sandbox::User=root -q "${@:2}"
}

needs() { # PACKAGE: with what it depends on
  private apt-get -s install --no-install-recommends "$1" | awk '/^Inst/ { print $2 }'
}

# Java is the system's; of ZooKeeper the jars are enough that its own package names.
jars() {
  echo libzookeeper-java
  private apt-cache show libzookeeper-java |
    sed -n 's/^Depends: //p' | head -n 1 | tr ',' '\n' | sed -e 's/(.*//' -e 's/|.*//' -e 's/ //g' | grep -- '-java$'
}

say "getting the servers of Debian unstable from $mirror"
private apt-get update >&2
# One by one: MySQL's and MariaDB's packages exclude each other.
mapfile -t packages < <({
  for package in mysql-server-core mariadb-server-core mariadb-client-core postgresql-18 \
    redis-server valkey-server etcd-server etcd-client patchelf unzip; do
    needs "$package"
  done
  jars
} | sort -u)
(cd "$work/debs" && private apt-get download "${packages[@]}") >&2
for deb in "$work"/debs/*.deb; do dpkg -x "$deb" "$work/root"; done
rm -rf "$work/debs" "$work/apt"

# The programs find the loader and the libraries where they will be.
lib=$(cd "$work/root" && dirname usr/lib/*-linux-gnu*/ld-linux-*.so.*)
loader=$(cd "$work/root" && echo usr/lib/*-linux-gnu*/ld-linux-*.so.*)
tool() { # PROGRAM ARG...: one that is needed here alone
  "$work/root/$loader" --library-path "$work/root/$lib" "$work/root/usr/bin/$1" "${@:2}"
}

is_elf() { [ "$(head -c 4 "$1" | tail -c 3)" = ELF ]; }

adopt() { # PROGRAM, in root: makes it run from bin
  local program="$work/root/$1"
  if is_elf "$program" && [ "$(tool patchelf --print-interpreter "$program")" != "$home/root/$loader" ]; then
    tool patchelf --set-interpreter "$home/root/$loader" \
      --force-rpath --set-rpath "$home/root/$lib:$home/root/$lib/mysql/private" "$(readlink -f "$program")"
  fi
  ln -s "$home/root/$1" "$work/bin/$(basename "$1")"
}

(cd "$work/root" && printf '%s\n' usr/sbin/{mysqld,mariadbd} usr/bin/{redis-server,redis-cli} \
  usr/bin/{valkey-server,etcd,etcdctl,etcdutl,mariadb-install-db,my_print_defaults,resolveip} usr/lib/postgresql/18/bin/*) |
  while read -r program; do
    if [ -e "$work/root/$program" ]; then adopt "$program"; fi
  done
# Valkey under the name that the tests start.
ln -s "$home/root/usr/bin/valkey-server" "$work/valkey/redis-server"

# ZooKeeper's jar, and those that it names by the places where they would be installed.
tool unzip -p "$work/root/usr/share/java/zookeeper.jar" META-INF/MANIFEST.MF | tr -d '\r' |
  sed -e ':a' -e N -e '$!ba' -e 's/\n //g' | sed -n 's/^Class-Path: //p' | tr ' ' '\n' |
  { cat; echo /usr/share/java/zookeeper.jar; } |
  while read -r jar; do
    if [ -e "$work/root$jar" ]; then ln -s "$home/root$jar" "$work/zookeeper/"; fi
  done

cp "$0" "$work/recipe"
chmod -R go+rX "$work"
if [ -e "$home" ]; then mv "$home" "$work.old"; fi
mv "$work" "$home"
{
  mysqld --version | sed -E 's/.*Ver ([^ ]+).*/MySQL \1/'
  mariadbd --version | sed -E 's/.*Ver ([^ -]+).*/MariaDB \1/'
  postgres --version | sed -E 's/[^0-9]*([^ ]+).*/PostgreSQL \1/'
  redis-server --version | sed -E 's/.*v=([^ ]+).*/Redis \1/'
  valkey-server --version | sed -E 's/.*v=([^ ]+).*/Valkey \1/'
  etcd --version | sed -nE 's/^etcd Version: /etcd /p'
  echo "ZooKeeper $(readlink "$home/root/usr/share/java/zookeeper.jar" | sed -E 's/zookeeper-(.*)\.jar/\1/')"
} >"$home/versions.half"
mv "$home/versions.half" "$home/versions"
report
