#!/usr/bin/env bash
# Two more object stores for the tests: moto (Python) and S3Mock (Java), which many use to test S3 clients.
#
#   peer-stores.sh install          install both, once; prints their folder
#   peer-stores.sh start NAME DIR   run moto or s3mock on a free port of 127.0.0.1 until it is killed, for at most ten minutes;
#                                   its output names the port. S3Mock keeps objects in DIR, which must exist; moto in memory
#
# Python and Java are Debian packages (see packages.sh), moto comes from pip, S3Mock from Maven. The folder is in the user's cache.
set -euo pipefail
HERE=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
MOTO=5.2.1
S3MOCK=4.11.0
# Each version has its own folder, so versions are never mixed.
FOLDER="${XDG_CACHE_HOME:-$HOME/.cache}/status-snapshot-tests/moto-$MOTO-s3mock-$S3MOCK"
JAR="s3mock-$S3MOCK-exec.jar"
END_AFTER_S=600

install() {
  "$HERE/packages.sh" python3=python3 pip3=python3-pip java=default-jre-headless mvn=maven
  mkdir -p "$FOLDER"
  # Two test runs must not install at the same time.
  exec 9>"$FOLDER/lock"
  flock 9
  if [ ! -e "$FOLDER/moto-is-there" ]; then
    echo "Getting moto $MOTO" >&2
    pip3 install --quiet --disable-pip-version-check --no-warn-script-location --no-warn-conflicts \
      --root-user-action=ignore --upgrade --target "$FOLDER/moto" \
      "moto[s3]==$MOTO" flask==3.1.3 flask-cors==6.0.5 >&2 || {
      echo "pip could not get moto $MOTO: see above." >&2
      exit 1
    }
    touch "$FOLDER/moto-is-there"
  fi
  if [ ! -e "$FOLDER/$JAR" ]; then
    echo "Getting S3Mock $S3MOCK" >&2
    local new="$FOLDER/new"
    mvn --quiet --batch-mode -Dstyle.color=never dependency:copy "-Dartifact=com.adobe.testing:s3mock:$S3MOCK:jar:exec" \
      "-DoutputDirectory=$new" >&2 || {
      echo "Maven could not get S3Mock $S3MOCK: see above." >&2
      exit 1
    }
    mv "$new/$JAR" "$FOLDER/$JAR"
  fi
  echo "$FOLDER"
}

start() {
  case "$1" in
    moto)
      PYTHONPATH="$FOLDER/moto" PYTHONUNBUFFERED=1 exec timeout --kill-after=1 "$END_AFTER_S" \
        python3 -m moto.server -H 127.0.0.1 -p 0
      ;;
    s3mock)
      # S3Mock also needs a port for HTTPS.
      exec timeout --kill-after=1 "$END_AFTER_S" java -XX:TieredStopAtLevel=1 -jar "$FOLDER/$JAR" \
        --server.address=127.0.0.1 --server.port=0 --com.adobe.testing.s3mock.http-port=0 \
        --com.adobe.testing.s3mock.store.root="$2"
      ;;
    *) return 1 ;;
  esac
}

case "${1-}" in
  install) install ;;
  start) start "${2-}" "${3-}" || { echo "peer-stores.sh: start moto or s3mock, and a folder" >&2; exit 2; } ;;
  *)
    echo "peer-stores.sh: install, or start moto or s3mock, and a folder" >&2
    exit 2
    ;;
esac
