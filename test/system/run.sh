#!/usr/bin/env bash
# Tests with real servers: installs the packages, runs `test/system`, exits with vitest's code.
# Arguments are passed to vitest, for example: test/system/run.sh ceph -t "exactly one"
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
# Servers are in sbin, which is not in an ordinary user's PATH.
export PATH="$PATH:/usr/local/sbin:/usr/sbin:/sbin"

[ "$(uname -s)" = Linux ] || {
  echo "The system tests need Linux with Debian's packages of Ceph." >&2
  exit 1
}
[ -x node_modules/.bin/vitest ] || {
  echo "The system tests need the development dependencies: run npm ci first." >&2
  exit 1
}
test/system/ceph.sh install
test/system/packages.sh nginx=nginx-light varnishd=varnish hitch=hitch caddy=caddy wrk=wrk chromium=chromium curl=curl podman=podman promtool=prometheus certutil=libnss3-tools gnutls-serv=gnutls-bin
for tool in nats-server kubectl-validate; do test/system/go-tool.sh "$tool" >/dev/null; done

exec node_modules/.bin/vitest run --config test/system/vitest.config.ts "$@"
