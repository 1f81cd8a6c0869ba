#!/usr/bin/env bash
# Installs missing commands from Debian's packages.
#
#   packages.sh COMMAND=PACKAGE...     for example: packages.sh nginx=nginx-light varnishd=varnish
#
# Needs root and apt-get to install; otherwise it names the missing packages and exits 1. Exits 0 if all commands exist.
set -euo pipefail
# Servers are in sbin, which is not in an ordinary user's PATH.
export PATH="$PATH:/usr/local/sbin:/usr/sbin:/sbin"
export DEBIAN_FRONTEND=noninteractive
LOCK=/tmp/status-snapshot-packages.lock
POLICY=/usr/sbin/policy-rc.d

# The packages of the missing commands, one per line.
missing_packages() {
  local pair
  for pair in "$@"; do
    command -v "${pair%%=*}" >/dev/null || echo "${pair#*=}"
  done | sort --unique
}

# A newly installed nginx would otherwise start at once and take port 80; the tests start their own, on loopback.
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

# Two test runs must not install at the same time: the second one waits here, and then finds all commands.
exec 9>"$LOCK"
flock 9
mapfile -t missing < <(missing_packages "$@")
if [ "${#missing[@]}" -eq 0 ]; then exit 0; fi
forbid_services
echo "Installing ${missing[*]}" >&2
# One update of the lists. Without a network the present lists may be sufficient, so only the installation decides.
apt update || true
# Processes that a package starts must not inherit the lock.
apt install --yes --no-install-recommends "${missing[@]}" 9>&- || {
  echo "apt-get could not install ${missing[*]}: see above." >&2
  exit 1
}
mapfile -t missing < <(missing_packages "$@")
if [ "${#missing[@]}" -ne 0 ]; then
  echo "Installed, but the commands of these packages are missing: ${missing[*]}" >&2
  exit 1
fi
