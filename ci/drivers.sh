#!/usr/bin/env bash
# The drivers in Python and JavaScript: their own tests, whether they keep the
# protocol, and the suite asked of the managers beside them. It needs Python 3.9 or
# newer with numpy, and Node 20; ci/setup.sh installs both on Debian.
#
#   PYTHON=python3.13 ci/drivers.sh
#   TENSORS=torch ci/drivers.sh        values are torch's tensors (Debian: python3-torch)
set -euo pipefail
cd "$(dirname "$0")/.."

python=${PYTHON:-/usr/bin/python3}
need() { command -v "$1" >/dev/null || { echo "ci/drivers.sh: $1 is missing: run ci/setup.sh, or $2" >&2; exit 1; }; }
need "$python" "install Python 3.9 or newer and set PYTHON"
need node "install Node 20"
tensors=${TENSORS:-numpy}
"$python" -c "import $tensors" || { echo "ci/drivers.sh: $python has no $tensors: run ci/setup.sh, or install it" >&2; exit 1; }

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
go build -o "$work/statespec" ./cmd/statespec

echo "+ the driver of PROTOCOL.md's chapter" >&2
PYTHON=$python go test -count=1 -tags python ./driver/protocol

echo "+ tests in Python" >&2
(cd driver/python && "$python" -W error::SyntaxWarning -m unittest)

echo "+ tests in JavaScript" >&2
(cd driver/javascript && node --test test.js)

for driver in "$python driver/python/statespec_driver.py --tensors $tensors --target manager" "node driver/javascript/driver.js"; do
	echo "+ statespec driver check '$driver'" >&2
	"$work/statespec" driver check "$driver"
	echo "+ statespec run --driver '$driver'" >&2
	"$work/statespec" run --driver "$driver"
done

echo "+ what is known of the public implementation, on a manager with the same faults" >&2
# Of how torch lends memory and takes it, numpy's arrays know nothing.
only=''
[ "$tensors" = torch ] || only='!ACC-12 && !ACC-13'
"$work/statespec" run --driver "$python driver/python/statespec_driver.py --tensors $tensors --target asfound" --expect driver/python/expect/vllm-omni.yaml --only "$only"
