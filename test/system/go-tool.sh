#!/usr/bin/env bash
# Builds a program with Go, once, and prints its path: those that Debian has not, or only too old.
#
#   go-tool.sh NAME    for example: server=$(test/system/go-tool.sh nats-server)
#
# Needs Go 1.24 or newer, and its module proxy the first time.
set -euo pipefail
case "$1" in
  nats-server) MODULE=github.com/nats-io/nats-server/v2@v2.15.2 ;;
  # Has the schemas of Kubernetes 1.30 built in.
  kubectl-validate) MODULE=sigs.k8s.io/kubectl-validate@v0.0.4 ;;
  *)
    echo "$0: no tool is called $1" >&2
    exit 1
    ;;
esac
FOLDER="${XDG_CACHE_HOME:-$HOME/.cache}/status-snapshot/${MODULE//\//_}"
export PATH="$PATH:/usr/local/go/bin:/usr/lib/go/bin"

if [ ! -x "$FOLDER/$1" ]; then
  command -v go >/dev/null || {
    echo "Missing for the system tests: Go, which builds $MODULE. Install Go 1.24 or newer from https://go.dev/dl/." >&2
    exit 1
  }
  mkdir -p "$FOLDER"
  # Two test runs may build at the same time.
  exec 9>"$FOLDER/lock"
  flock 9
  if [ ! -x "$FOLDER/$1" ]; then
    new=$(mktemp -d)
    trap 'rm -rf "$new"' EXIT
    GOBIN="$new" go install "$MODULE" >&2
    mv "$new/$1" "$FOLDER/$1"
  fi
fi
echo "$FOLDER/$1"
