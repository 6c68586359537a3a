#!/usr/bin/env bash
# Measures the baseline anew and says what changed (make baseline): ratios to the
# controls, allocations and bytes held, in ci/baselines/reference.txt. What it says
# belongs into the commit's message. With `check` nothing is written, and only what is
# exact is measured and compared: any difference fails.
set -euo pipefail
cd "$(dirname "$0")/.."
baseline=ci/baselines/reference.txt
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
go build -o "$work/statespec" ./cmd/statespec

case ${1:-} in
check)
	"$work/statespec" bench --portable --count 1 --time 2ms --only '^(Hit|Miss|Attr|Stats|Ring|EncoderStep|Frames)' --out "$work/now.txt" 2>"$work/said" || { cat "$work/said" >&2; exit 1; }
	code=0
	"$work/statespec" regress --filter '.unit:(allocs/op OR bytes-held) .name:(Hit OR MissWithEviction OR AttrRead OR AttrWrite OR Stats OR Ring OR EncoderStep OR Frames)' \
		"$baseline" "$work/now.txt" >"$work/report" || code=$?
	[ "$code" = 0 ] || { cat "$work/report" >&2; echo "ci/baseline.sh: allocations or bytes held are not those of $baseline ($(sed -n 's/^toolchain: //p' "$baseline"), here $(go env GOVERSION)): ci/baseline.sh measures it anew and says what changed" >&2; exit "$code"; }
	tail -n 1 "$work/report"
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
