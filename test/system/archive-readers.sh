#!/usr/bin/env bash
# Reads a Parquet file with pandas and pyarrow, which come from pip, once, into a folder of the user's cache.
#
#   archive-readers.sh FILE    prints the number of rows, the types, and the sums that a test compares, as JSON
set -euo pipefail
HERE=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
PANDAS=2.3.3
PYARROW=21.0.0
FOLDER="${XDG_CACHE_HOME:-$HOME/.cache}/status-snapshot-tests/pandas-$PANDAS-pyarrow-$PYARROW"

"$HERE/packages.sh" python3=python3 pip3=python3-pip
mkdir -p "$FOLDER"
exec 9>"$FOLDER/lock"
flock 9
if [ ! -e "$FOLDER/is-there" ]; then
  echo "Getting pandas $PANDAS and pyarrow $PYARROW" >&2
  pip3 install --quiet --disable-pip-version-check --no-warn-script-location --no-warn-conflicts \
    --root-user-action=ignore --upgrade --target "$FOLDER" "pandas==$PANDAS" "pyarrow==$PYARROW" >&2 || {
    echo "pip could not get pandas and pyarrow: see above." >&2
    exit 1
  }
  touch "$FOLDER/is-there"
fi
flock --unlock 9

PYTHONPATH="$FOLDER" timeout 120 python3 - "$1" <<'PYTHON'
import json
import sys

import pandas

frame = pandas.read_parquet(sys.argv[1], engine="pyarrow")
failed = frame[frame["state"] == "failed"]
print(json.dumps({
    "rows": len(frame),
    "types": {name: str(kind) for name, kind in frame.dtypes.items()},
    "services": int(frame["service"].nunique()),
    "ms": int(frame["ms"].sum()),
    "failed": len(failed),
    "codes": sorted(failed["code"].unique().tolist()),
    "first": frame["at"].min().isoformat(),
    "last": frame["at"].max().isoformat(),
}))
PYTHON
