#!/usr/bin/env bash
# Every native fuzz target of the module, each for a bounded time (FUZZTIME, a
# duration of Go's: 5s unless it is set). What a target finds Go writes into its
# package's testdata/fuzz, where it is a case from then on; what was only
# interesting stays in Go's own build cache.
#
#   FUZZTIME=1m ci/fuzz.sh ./spec/expect ./reference/...
set -euo pipefail
cd "$(dirname "$0")/.."

fuzztime=${FUZZTIME:-5s}
[ $# -gt 0 ] || set -- ./...
packages=$(go list -f '{{if or .TestGoFiles .XTestGoFiles}}{{.ImportPath}}{{end}}' "$@")
found=0
for package in $packages; do
	# The test binary's own list, so that none is left out or made up.
	listed=$(go test -list '^Fuzz' "$package")
	for target in $(grep '^Fuzz' <<<"$listed" || true); do
		found=$((found + 1))
		echo "+ $package $target, $fuzztime" >&2
		# What is only interesting is minimized for a second at most: the default
		# of a minute is not counted as fuzzing.
		go test -run '^$' -fuzz "^$target\$" -fuzztime "$fuzztime" -fuzzminimizetime 1s "$package"
	done
done

[ "$found" -gt 0 ] || { echo "ci/fuzz.sh: no package of $* has a fuzz target" >&2; exit 1; }
echo "$found fuzz targets, $fuzztime each" >&2
