#!/usr/bin/env bash
# Every native fuzz target of the module, each for so many inputs (FUZZTIME, as
# go test -fuzztime takes it: 20000x unless it is set). What a target finds Go
# writes into its package's testdata/fuzz, where it is a case from then on; what
# was only interesting stays in Go's own build cache.
#
# The bound is a number of inputs and not a time: before Go 1.27 a target whose
# time is up may fail with "context deadline exceeded" and nothing found
# (go.dev/issue/75804), and a number asks as much of a slow machine as of a fast one.
#
#   FUZZTIME=1000000x ci/fuzz.sh ./spec/expect ./reference/...
set -euo pipefail
cd "$(dirname "$0")/.."

fuzztime=${FUZZTIME:-20000x}
[ $# -gt 0 ] || set -- ./...
packages=$(go list -f '{{if or .TestGoFiles .XTestGoFiles}}{{.Dir}} {{.ImportPath}}{{end}}' "$@")
found=0
while read -r folder package; do
	# Only a package that has the words is built for it.
	grep -qs '^func Fuzz' "$folder"/*_test.go || continue
	# The test binary's own list, so that none is left out or made up.
	listed=$(go test -list '^Fuzz' "$package")
	for target in $(grep '^Fuzz' <<<"$listed" || true); do
		found=$((found + 1))
		echo "+ $package $target, $fuzztime" >&2
		# What is only interesting is minimized for a second at most: the default
		# of a minute is not counted as fuzzing.
		go test -run '^$' -fuzz "^$target\$" -fuzztime "$fuzztime" -fuzzminimizetime 1s "$package"
	done
done <<<"$packages"

[ "$found" -gt 0 ] || { echo "ci/fuzz.sh: no package of $* has a fuzz target" >&2; exit 1; }
echo "$found fuzz targets, $fuzztime each" >&2
