#!/usr/bin/env bash
# Compares what is checked out with BASE, a commit: builds both, has them measure in
# turns on this machine, and says what became slower, larger or hungrier. Minutes.
#
#   ci/compare.sh BASE [OUT]
#
# OUT is a folder for the report (regress.txt, summary.md, regress.json, report.html)
# and the two recordings; without it the report is shown alone. ROUNDS (10) is how
# often each of the two is started, ONLY a regular expression of benchmarks, TIME what
# a line measures. Exit: 0 none worse, 1 a regression, 3 no verdict, 2 a mistake here.
set -euo pipefail

fail() { echo "ci/compare.sh: $*" >&2; exit 2; }

[ $# -ge 1 ] && [ $# -le 2 ] || fail "want BASE and perhaps OUT, as in: ci/compare.sh origin/main results"
base=$1 out=${2:-}
[ -z "$out" ] || { mkdir -p "$(dirname "$out")" && out=$(cd "$(dirname "$out")" && pwd)/$(basename "$out"); }
rounds=${ROUNDS:-10}
[[ $rounds =~ ^[1-9][0-9]{0,2}$ ]] || fail "ROUNDS=$rounds: want 1 to 999; 8 and more for a verdict"
cd "$(dirname "$0")/.."
repository=$PWD
for tool in go git; do
	command -v "$tool" >/dev/null || fail "$tool is missing"
done
commit=$(git rev-parse --verify --quiet "$base^{commit}") || fail "$base is no commit here (a shallow clone? fetch-depth: 0)"

work=$(mktemp -d)
trap 'git -C "$repository" worktree remove --force "$work/base" 2>/dev/null || :; rm -rf "$work"' EXIT
git worktree add --quiet --detach "$work/base" "$commit"
echo "building $base ($(git rev-parse --short "$commit")) and what is checked out" >&2
(cd "$work/base" && go build -trimpath -o "$work/old" ./cmd/statespec) || fail "$base does not build"
go build -trimpath -o "$work/new" ./cmd/statespec || fail "what is checked out does not build"
"$work/old" bench --list >/dev/null 2>&1 || fail "$base has no paired benchmarks: its statespec bench does not know --list"

# One start of one of the two: a process differs from another of the same binary in
# where its memory lies, so each line is a process of its own.
measure() {
	if ! "$work/$1" bench --count 1 --time "${TIME:-50ms}" --only "${ONLY:-^(Hit|Miss|Attr|Stats|Ring|EncoderStep|Frames)}" --out "$work/line" 2>"$work/said"; then
		cat "$work/said" >&2
		fail "statespec bench of $1 failed"
	fi
	if [ -s "$work/$1.txt" ]; then # the head once
		grep ^Benchmark "$work/line" >>"$work/$1.txt"
	else
		cat "$work/line" >"$work/$1.txt"
	fi
}
for ((i = 1; i <= rounds; i++)); do
	echo "round $i of $rounds" >&2
	if ((i % 2)); then measure old; measure new; else measure new; measure old; fi
done

cd "$work" # so that the recordings have these names in the report
./new regress old.txt new.txt ${out:+--out "$out"}
