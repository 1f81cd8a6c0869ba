#!/usr/bin/env bash
# Makes sure that commands exist, from Debian's own packages.
#
#   packages.sh COMMAND=PACKAGE...     for example: packages.sh nginx=nginx-light varnishd=varnish
#
# Installs what is missing when it may (root, with apt-get); otherwise names it and exits 1. Exits 0 when all is there.
set -euo pipefail
# Servers live in sbin, which an ordinary user's PATH leaves out.
export PATH="$PATH:/usr/local/sbin:/usr/sbin:/sbin"
export DEBIAN_FRONTEND=noninteractive
LOCK=/tmp/status-snapshot-packages.lock
POLICY=/usr/sbin/policy-rc.d

# The packages, one a line, of the commands that are not there.
missing_packages() {
  local pair
  for pair in "$@"; do
    command -v "${pair%%=*}" >/dev/null || echo "${pair#*=}"
  done | sort --unique
}

# A fresh nginx would otherwise start at once and take port 80: the tests start their own, on loopback.
forbid_services() {
  if [ -e "$POLICY" ]; then return; fi
  trap 'rm -f "$POLICY"' EXIT
  printf '#!/bin/sh\nexit 101\n' >"$POLICY"
  chmod 755 "$POLICY"
}

apt() { apt-get -o DPkg::Lock::Timeout=300 -qq "$@" >&2; }

mapfile -t missing < <(missing_packages "$@")
if [ "${#missing[@]}" -eq 0 ]; then exit 0; fi

if [ "$(id -u)" -ne 0 ] || ! command -v apt-get >/dev/null; then
  echo "Missing for the system tests: ${missing[*]}" >&2
  echo "Install as root: apt-get install --no-install-recommends ${missing[*]}" >&2
  exit 1
fi

# Two test runs at once must not both install: the second waits here, and finds everything there.
exec 9>"$LOCK"
flock 9
mapfile -t missing < <(missing_packages "$@")
if [ "${#missing[@]}" -eq 0 ]; then exit 0; fi
forbid_services
echo "Installing ${missing[*]}" >&2
# One refresh of the lists. Without network the lists at hand may still do, so only the installation decides.
apt update || true
# The lock must not be inherited by anything that a package leaves running.
apt install --yes --no-install-recommends "${missing[@]}" 9>&- || {
  echo "apt-get could not install ${missing[*]}: see above." >&2
  exit 1
}
mapfile -t missing < <(missing_packages "$@")
if [ "${#missing[@]}" -ne 0 ]; then
  echo "Installed, yet the commands of these packages are not there: ${missing[*]}" >&2
  exit 1
fi
