#!/usr/bin/env bash
# Unpacks the servers that Debian's unstable suite has today beside the system, unless they are
# there, and prints their folder. Nothing is installed: they run on libraries of their own. Who
# wants newer ones deletes the folder. Ubuntu needs its package debian-archive-keyring.
#
#   servers=$(scripts/current-servers.sh)
#   UID_TEST_SERVERS=$servers/bin:$servers/zookeeper go test ./worker/...
#   UID_TEST_SERVERS=$servers/valkey go test ./worker/redisstore
set -euo pipefail

home="${XDG_CACHE_HOME:-${HOME-}/.cache}/ringuid-testserver/current"
# PostgreSQL runs as nobody, who cannot read the home of root.
[ "$(id -u)" -ne 0 ] || home=/var/cache/ringuid-testserver/current
work=$home.new

if [ ! -e "$home" ]; then
  # The mirror that this machine's own apt uses, if it is one of Debian's.
  mirror=$(grep -rhv '^ *#' /etc/apt/sources.list /etc/apt/sources.list.d 2>/dev/null |
    grep -Eo 'https?://[^ ]+/debian/?( |$)' | head -n 1 | tr -d ' ' || true)

  rm -rf "$work"
  mkdir -p "$work"/apt/{lists,cache/archives}/partial "$work"/{root,bin,valkey,zookeeper}
  touch "$work/apt/status" # an empty one, so that all libraries come along, libc too
  echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg]" \
    "${mirror:-http://deb.debian.org/debian} sid main" >"$work/apt/sources.list"

  private() { # COMMAND ARG...: apt-get or apt-cache that knows unstable alone
    "$1" -o "Dir::Etc::sourcelist=$work/apt/sources.list" -o Dir::Etc::sourceparts=- \
      -o "Dir::State::lists=$work/apt/lists" -o "Dir::Cache=$work/apt/cache" \
      -o "Dir::State::status=$work/apt/status" -o Acquire::Languages=none \
      -o APT::Sandbox::User=root -q "${@:2}"
  }

  private apt-get update >&2
  packages=$({
    # One by one: MySQL's and MariaDB's packages exclude each other.
    for package in mysql-server-core mariadb-server-core mariadb-client-core postgresql-18 \
      redis-server valkey-server patchelf; do
      private apt-get -s install --no-install-recommends "$package" | awk '/^Inst/ { print $2 }'
    done
    echo postgresql-18-partman # SQL alone is needed of it
    # Java is the system's; of ZooKeeper the jars are enough that its own package names.
    echo libzookeeper-java
    private apt-cache show libzookeeper-java |
      sed -n '/^Depends: /p' | grep -o '[a-z0-9.+-]*-java\b'
  } | sort -u)
  # shellcheck disable=SC2086
  (cd "$work/root" && private apt-get download $packages && printf '%s\n' *-server-core_* *sql-*[0-9]_* *-server_* *zookeeper*) >&2
  for deb in "$work"/root/*.deb; do dpkg -x "$deb" "$work/root"; done
  rm -rf "$work"/root/*.deb "$work/apt"

  # The programs find the loader and the libraries where they will be.
  cd "$work/root"
  loader=$(echo usr/lib/*-linux-gnu*/ld-linux-*.so.*)
  lib=$(dirname "$loader")
  for program in usr/sbin/{mysqld,mariadbd} usr/lib/postgresql/18/bin/* \
    usr/bin/{redis-server,valkey-server,mariadb-install-db,my_print_defaults,resolveip}; do
    if [ "$(head -c 4 "$program" | tail -c 3)" = ELF ]; then
      "$loader" --library-path "$lib" usr/bin/patchelf --set-interpreter "$home/root/$loader" \
        --force-rpath --set-rpath "$home/root/$lib:$home/root/$lib/mysql/private" "$(readlink -f "$program")"
    fi
    ln -s "$home/root/$program" "$work/bin/"
  done
  # The jars that ZooKeeper's own names as its class path.
  for jar in commons-{cli,io} findbugs-annotations jackson-{annotations,core,databind} metrics-core \
    jetty9-{client,http,io,security,server,servlet,util} slf4j-api snappy-java zookeeper{-jute,} \
    netty-{buffer,common,handler,transport,transport-native-epoll}; do
    ln -s "$home/root/usr/share/java/$jar.jar" "$work/zookeeper/"
  done
  # Under the name that the tests start.
  ln -s "$home/root/usr/bin/valkey-server" "$work/valkey/redis-server"
  chmod -R go+rX "$work"
  mv "$work" "$home"
fi
echo "$home"
