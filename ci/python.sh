#!/usr/bin/env bash
# The readers of artefacts beside those who write them: numpy, and torch and
# ml_dtypes where they are installed, write files of every dtype, order and version
# they have, and say what is in them; what is read has to be that.
#
#   PYTHON=python3.13 ci/python.sh
set -euo pipefail
cd "$(dirname "$0")/.."

python=${PYTHON:-python3}
command -v "$python" >/dev/null || { echo "ci/python.sh: $python is missing" >&2; exit 1; }
files=$(mktemp -d)
trap 'rm -rf "$files"' EXIT
"$python" ci/python/write.py "$files"
STATESPEC_PYTHON_FILES=$files go test -tags python -count=1 -run TestFilesOfPython -v ./equivalence/artefact
