#!/usr/bin/env bash
# Measures the baseline anew and says what changed (make baseline): ratios to the
# controls, allocations and bytes held, in ci/baselines/reference.txt. What it says
# belongs into the commit's message. With `check` nothing is written, and only what is
# exact is measured and compared (ci/exact.sh): any difference fails, an improvement and
# a benchmark that is there no more, or not yet, as well.
set -euo pipefail
cd "$(dirname "$0")/.."
baseline=ci/baselines/reference.txt
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
go build -o "$work/statespec" ./cmd/statespec

case ${1:-} in
check)
	names='(Hit|Miss|Attr|Stats|Ring|EncoderStep|Frames)'
	"$work/statespec" bench --portable --count 1 --time 2ms --only "^$names" --out "$work/now.txt" 2>"$work/said" || { cat "$work/said" >&2; exit 1; }
	grep -E "^Benchmark$names" "$baseline" >"$work/baseline.txt" || { echo "ci/baseline.sh: $baseline has no such benchmarks" >&2; exit 1; }
	if ! (cd "$work" && "$OLDPWD/ci/exact.sh" baseline.txt now.txt) >&2; then
		echo "ci/baseline.sh: allocations or bytes held are not those of $baseline ($(sed -n 's/^toolchain: //p' "$baseline"), here $(go env GOVERSION)): where that is meant, ci/baseline.sh refreshes it and says what changed" >&2
		exit 1
	fi
	echo "allocations and bytes held are those of $baseline"
	;;
"")
	"$work/statespec" bench --portable --out "$work/now.txt"
	if [ -e "$baseline" ]; then
		code=0
		"$work/statespec" regress "$baseline" "$work/now.txt" || code=$?
		[ "$code" != 2 ] && [ "$code" != 4 ] || exit "$code"
	fi
	mv "$work/now.txt" "$baseline"
	;;
*)
	echo "ci/baseline.sh: want nothing or check, not $1" >&2
	exit 2
	;;
esac
