#!/usr/bin/env bash
# A real object store for the tests: Ceph's S3 gateway (RGW) with one monitor and one in-memory OSD. Everything is on 127.0.0.1,
# runs as the calling user, and keeps its files in one folder. Several stores can run at the same time.
#
#   ceph.sh install                   install the packages (see packages.sh)
#   ceph.sh start DIR [--parent PID]  start in DIR (absent or empty); prints one line of JSON when the gateway answers:
#                                     {"endpoint","region","accessKeyId","secretAccessKey","pids":{…}}
#                                     with --parent, everything ends and DIR is removed within 2 s after that process ends
#   ceph.sh user DIR NAME             create a user; prints {"accessKeyId","secretAccessKey"}
#   ceph.sh stop DIR                  end what `start DIR` started, if it runs; logs stay in DIR/log
#
# Needs Debian 12 or newer (Linux: processes are identified through /proc). Progress and errors go to standard error.
set -euo pipefail
export PATH="$PATH:/usr/local/sbin:/usr/sbin:/sbin"
HERE=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# RGW's default name of its only region ("api_name" of the default zonegroup).
REGION=default
# Without a manager daemon the gateway would wait for its pools. Names and numbers of placement groups: few groups start fast;
# objects and the bucket index have more, for parallel writes.
POOLS=".rgw.root:1 default.rgw.log:1 default.rgw.control:1 default.rgw.meta:1
  default.rgw.buckets.index:8 default.rgw.buckets.data:16 default.rgw.buckets.non-ec:1"
READY_WITHIN_S=60

fail() {
  echo "ceph.sh: $*" >&2
  exit 1
}

# ---------------------------------------------------------------- processes

# When a process started, in clock ticks since boot. PID and start time identify a process, because PIDs are reused.
# The command name (in parentheses) may contain blanks, so fields are counted after it: the 20th is starttime (man 5 proc).
started_at() {
  local stat
  stat=$(cat "/proc/$1/stat" 2>/dev/null) || return 1
  stat=${stat##*) }
  # shellcheck disable=SC2086 # split on purpose
  set -- $stat
  if [ "$1" = Z ] || [ "$1" = X ]; then return 1; fi # ended, but not reaped yet
  echo "${20}"
}

# Starts a daemon by name in its own session, so that Ctrl-C of the test run does not end the store before the tests.
# The daemon's process records its own PID (exec keeps it): if this script is killed meanwhile, the watchdog still finds it.
launch() {
  local name=$1
  shift
  (
    remember "$name" "$BASHPID"
    exec setsid "$@"
  ) </dev/null >"$DIR/log/$name.out" 2>&1 &
  remember "$name" $!
}

# Records PID and start time of a process under a name, for `stop` and for the JSON line. `launch` does this twice, perhaps
# concurrently, so the file is renamed into place: a reader must never find it empty.
remember() {
  local new="$DIR/pid/.$1.$BASHPID"
  echo "$2 $(started_at "$2" || echo 0)" >"$new"
  mv "$new" "$DIR/pid/$1"
}

is_alive() {
  local pid since
  read -r pid since <"$DIR/pid/$1" 2>/dev/null || return 1
  [ "$(started_at "$pid")" = "$since" ]
}

pid_of() { cut -d' ' -f1 "$DIR/pid/$1"; }

# SIGKILL at once: the data is not needed, and after SIGTERM an OSD first writes its memory to disk.
end_process() {
  is_alive "$1" || return 0
  kill -KILL "$(pid_of "$1")" 2>/dev/null || true
  local tries=0
  while is_alive "$1" && [ $((tries += 1)) -le 100 ]; do sleep 0.05; done
  if is_alive "$1"; then fail "process $(pid_of "$1") ($1) does not end"; fi
}

end_processes() {
  local name
  for name in "$@"; do
    if [ -e "$DIR/pid/$name" ]; then end_process "$name"; fi
  done
}

stop() {
  DIR=$1
  [ -d "$DIR/pid" ] || return 0
  # The watchdog is last: if this script is killed before that, the watchdog finishes the work.
  end_processes gateway osd mon watchdog
  rm -rf "$DIR/pid" "$DIR/mon" "$DIR/osd" "$DIR/keyring" "$DIR/monmap" "$DIR/ceph.conf"
}

# Ends the store after the parent process ends. The parent cannot do it itself after kill -9.
watch_parent() {
  local parent=$1 since=$2 starter=$3
  while [ "$(started_at "$parent")" = "$since" ]; do sleep 0.5; done
  # A start in progress would start more daemons. If it leads a process group, the group is killed, with the child it waits for.
  if is_alive starter; then kill -KILL -- "-$starter" 2>/dev/null || kill -KILL "$starter" || true; fi
  # Its last child may still be recording its own PID.
  sleep 0.3
  end_processes gateway osd mon
  rm -rf "$DIR"
}

# ---------------------------------------------------------------- set-up

# A port without a listener, below the ephemeral ports of Linux (32768 and up) and below those that tests find for other servers
# (test/free-port.ts). Another store may take it first; then another port is tried.
free_port() {
  local port
  while :; do
    port=$((10000 + RANDOM % 2000))
    if ! grep -qi ":$(printf '%04x' "$port") " <(awk '$4 == "0A" { print $2 " " }' /proc/net/tcp /proc/net/tcp6 2>/dev/null); then
      echo "$port"
      return
    fi
  done
}

random_text() { head -c "$1" /dev/urandom | od -An -tx1 | tr -d ' \n'; }

# Every option that differs from Ceph's default, and why.
write_config() {
  cat >"$DIR/ceph.conf" <<CONF
[global]
fsid = $(cat /proc/sys/kernel/random/uuid)
mon_host = [v2:127.0.0.1:$1/0]
# Authentication must be on: with "none" the gateway ends with error -13 (permission denied).
auth_cluster_required = cephx
auth_service_required = cephx
auth_client_required = cephx
auth_allow_insecure_global_id_reclaim = false
keyring = $DIR/keyring
run_dir = $DIR
# No admin sockets: they are not used, and their paths are limited to 107 characters.
admin_socket =
crash_dir = $DIR/log
log_file = $DIR/log/\$name.log
# These logs would be kept in memory for a crash report, which is not used.
debug_ms = 0/0
debug_osd = 0/0
debug_objecter = 0/0
# Only loopback. The OSD finds free ports itself, from 6800 on.
public_addr = 127.0.0.1
cluster_addr = 127.0.0.1
ms_bind_msgr1 = false
# One copy of everything on one OSD.
osd_pool_default_size = 1
osd_pool_default_min_size = 1
osd_pool_default_pg_autoscale_mode = off
osd_crush_chooseleaf_type = 0

[mon]
mon_data = $DIR/mon
mon_allow_pool_size_one = true
# The monitor collects changes for a second, for clusters of thousands; this one makes ten changes, one after the other.
paxos_propose_interval = 0.05
paxos_min_wait = 0.01
mon_memory_autotune = false
rocksdb_cache_size = 33554432

[osd]
osd_data = $DIR/osd
osd_objectstore = memstore
# An upper limit; memory is allocated as objects are written.
memstore_device_bytes = 1073741824
# The smallest value that Ceph accepts.
osd_memory_target = 939524096
# Two cores at most: the defaults (5 shards) are for many disks.
osd_op_num_shards = 2
osd_op_num_threads_per_shard = 1
# The log from which a returning OSD would catch up; there is only one. The defaults keep thousands of writes per group.
osd_min_pg_log_entries = 100
osd_max_pg_log_entries = 200
osd_pg_log_dups_tracked = 200

[client]
rgw_thread_pool_size = 64
# One line per request in DIR/log/client.gateway.log.
debug_rgw = 1/1
# Housekeeping that a store does not need for a few minutes.
rgw_enable_gc_threads = false
rgw_enable_lc_threads = false
rgw_enable_quota_threads = false
rgw_run_sync_thread = false
rgw_dynamic_resharding = false
CONF
}

# One file with all keys, which the monitor imports when it is created: no later `ceph auth` calls.
write_keyring() {
  ceph-authtool --create-keyring "$DIR/keyring" --gen-key --name mon. --cap mon 'allow *' >/dev/null
  ceph-authtool "$DIR/keyring" --gen-key --name client.admin \
    --cap mon 'allow *' --cap osd 'allow *' >/dev/null
  ceph-authtool "$DIR/keyring" --gen-key --name osd.0 --cap mon 'allow profile osd' --cap osd 'allow *' >/dev/null
  ceph-authtool "$DIR/keyring" --gen-key --name client.gateway --cap mon 'allow rw' --cap osd 'allow rwx' >/dev/null
}

# Sends the lines of standard input to the monitor in one session: a `ceph` process for each would take a third of a second.
# Without --foreground, `timeout` would leave our process group, and the watchdog would miss it.
ask_monitor() {
  timeout --foreground "$READY_WITHIN_S" ceph --conf "$DIR/ceph.conf" --connect-timeout 20 2>&1 |
    tee -a "$DIR/log/ceph.out"
}

# Waits until the command succeeds, while the daemon runs. 1: the daemon ended. 2: timeout.
wait_for() {
  local name=$1 until=$((SECONDS + READY_WITHIN_S))
  shift
  until "$@"; do
    is_alive "$name" || return 1
    if [ $SECONDS -ge $until ]; then return 2; fi
    sleep 0.1
  done
}

is_osd_up() { [[ $(echo "osd stat" | ask_monitor) == *" 1 up"* ]]; }

is_listening() { { (exec 3<>"/dev/tcp/127.0.0.1/$1"); } 2>/dev/null; }

# The anonymous list of buckets, which the gateway returns only if it can read its pools.
is_answering() {
  local status
  { status=$(
    exec 3<>"/dev/tcp/127.0.0.1/$1" || exit 1
    printf 'GET / HTTP/1.0\r\nHost: 127.0.0.1\r\n\r\n' >&3
    timeout 5 cat <&3 | head -n 1
  ); } 2>/dev/null || return 1
  [[ $status == HTTP/1.*\ 200* ]]
}

# Runs a function that takes a port; retries with another port if the daemon ended, because another process may have taken the port.
with_free_port() {
  local try
  for try in 1 2 3 4 5; do
    PORT=$(free_port)
    "$@" "$PORT" && return
    # Started, but never ready: another port would not help.
    if [ $? -ne 1 ]; then break; fi
    echo "ceph.sh: $* ended at port $PORT (attempt $try)" >&2
  done
  tail -n 20 "$DIR"/log/* >&2
  fail "$*: gave up; the last lines of the logs are above"
}

start_monitor() {
  rm -rf "$DIR/mon" "$DIR/monmap"
  write_config "$1"
  monmaptool --create --clobber --addv a "[v2:127.0.0.1:$1/0]" --fsid "$(sed -n 's/^fsid = //p' "$DIR/ceph.conf")" \
    "$DIR/monmap" >/dev/null
  ceph-mon --conf "$DIR/ceph.conf" --id a --mkfs --monmap "$DIR/monmap" --keyring "$DIR/keyring" >&2
  launch mon ceph-mon --conf "$DIR/ceph.conf" --id a --foreground --keyring "$DIR/keyring"
  wait_for mon is_listening "$1"
}

start_osd() {
  local uuid pool
  uuid=$(cat /proc/sys/kernel/random/uuid)
  mkdir "$DIR/osd"
  ceph-osd --conf "$DIR/ceph.conf" --id 0 --mkfs --osd-uuid "$uuid" >"$DIR/log/osd-mkfs.out" 2>&1
  {
    echo "osd new $uuid 0"
    for pool in $POOLS; do
      echo "osd pool create ${pool%:*} ${pool#*:} ${pool#*:} replicated --size 1"
      echo "osd pool application enable ${pool%:*} rgw"
    done
  } | ask_monitor >/dev/null
  launch osd ceph-osd --conf "$DIR/ceph.conf" --id 0 --foreground
  # A client that connects before the OSD is known waits 5 s before it retries.
  wait_for osd is_osd_up || fail "the OSD does not come up: $(tail -n 5 "$DIR/log/osd.0.log")"
}

# Without tcp_nodelay the body of an answer waits 40 ms for the client to acknowledge the head.
start_gateway() {
  launch gateway radosgw --conf "$DIR/ceph.conf" --name client.gateway --foreground \
    --rgw-frontends "beast endpoint=127.0.0.1:$1 tcp_nodelay=1"
  wait_for gateway is_answering "$1"
}

make_user() {
  local access secret
  access=$(random_text 10)
  secret=$(random_text 20)
  timeout --foreground "$READY_WITHIN_S" radosgw-admin --conf "$DIR/ceph.conf" --name client.gateway user create --uid "$1" \
    --display-name "$1" --access-key "$access" --secret-key "$secret" >"$DIR/log/user-$1.out" 2>&1 ||
    {
      cat "$DIR/log/user-$1.out" >&2
      fail "could not create the user $1"
    }
  printf '"accessKeyId":"%s","secretAccessKey":"%s"' "$access" "$secret"
}

# ---------------------------------------------------------------- commands

install() {
  "$HERE/packages.sh" ceph-mon=ceph-mon ceph-osd=ceph-osd radosgw=radosgw radosgw-admin=radosgw \
    ceph=ceph-common ceph-authtool=ceph-common monmaptool=ceph-base
}

start() {
  local parent=${2:-} since="" keys name pids=""
  for name in ceph-mon ceph-osd radosgw radosgw-admin ceph ceph-authtool monmaptool; do
    command -v "$name" >/dev/null || fail "$name is not installed: run $HERE/ceph.sh install"
  done
  if [ -n "$parent" ]; then
    since=$(started_at "$parent") || fail "there is no process $parent"
  fi
  mkdir -p "$1"
  DIR=$(cd "$1" && pwd)
  [ -z "$(ls -A "$DIR")" ] || fail "$DIR is not empty"
  mkdir "$DIR/log" "$DIR/pid"
  chmod 700 "$DIR"
  # A start that fails or is interrupted leaves no process. The logs stay.
  trap 'stop "$DIR"' EXIT
  trap 'exit 130' INT TERM HUP
  remember starter $$
  if [ -n "$parent" ]; then launch watchdog "$HERE/ceph.sh" watch "$DIR" "$parent" "$since" $$; fi
  write_keyring
  with_free_port start_monitor
  start_osd
  keys=$(make_user publisher)
  with_free_port start_gateway
  trap - EXIT
  rm "$DIR/pid/starter"
  for name in "$DIR"/pid/*; do pids+=",\"${name##*/}\":$(pid_of "${name##*/}")"; done
  printf '{"endpoint":"http://127.0.0.1:%s","region":"%s",%s,"pids":{%s}}\n' "$PORT" "$REGION" "$keys" "${pids#,}"
}

case "${1:-} $#" in
  "install 1") install ;;
  "start 2") start "$2" ;;
  "start 4")
    [ "$3" = --parent ] || fail "unknown option $3"
    start "$2" "$4"
    ;;
  "user 3")
    DIR=$2
    [ -e "$DIR/pid/gateway" ] || fail "no store runs in $DIR"
    keys=$(make_user "$3")
    printf '{%s}\n' "$keys"
    ;;
  "watch 5") # only for `start`: the watchdog's own process
    DIR=$2
    watch_parent "$3" "$4" "$5"
    ;;
  "stop 2") stop "$2" ;;
  *) fail "usage: ceph.sh install | start DIR [--parent PID] | user DIR NAME | stop DIR" ;;
esac
