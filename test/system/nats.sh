#!/usr/bin/env bash
# Builds nats-server with Go, once, and prints its path. Debian's is older than 2.12.
#
#   nats.sh          for example: server=$(test/system/nats.sh)
#
# Needs Go 1.24 or newer, and its module proxy the first time; a `nats-server` of at least 2.12 in the PATH is taken as it is.
set -euo pipefail
VERSION=v2.15.2
FOLDER="${XDG_CACHE_HOME:-$HOME/.cache}/status-snapshot"
SERVER="$FOLDER/nats-server-$VERSION"
export PATH="$PATH:/usr/local/go/bin:/usr/lib/go/bin"

is_new_enough() { [[ "$("$1" --version 2>/dev/null)" =~ v2\.(1[2-9]|[2-9][0-9])\. ]]; }

if command -v nats-server >/dev/null && is_new_enough nats-server; then
  command -v nats-server
  exit 0
fi
if [ -x "$SERVER" ]; then
  echo "$SERVER"
  exit 0
fi
command -v go >/dev/null || {
  echo "Missing for the system tests: Go, which builds nats-server $VERSION. Install it from https://go.dev/dl/, or put a nats-server of at least 2.12 into the PATH." >&2
  exit 1
}
mkdir -p "$FOLDER"
# Two test runs may build at the same time.
exec 9>"$FOLDER/lock"
flock 9
if [ ! -x "$SERVER" ]; then
  built=$(mktemp -d)
  trap 'rm -rf "$built"' EXIT
  GOBIN="$built" go install "github.com/nats-io/nats-server/v2@$VERSION" >&2
  mv "$built/nats-server" "$SERVER"
fi
echo "$SERVER"
