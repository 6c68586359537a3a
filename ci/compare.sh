#!/usr/bin/env bash
# Compares what is checked out with BASE, a commit: builds both, has them measure in
# turns on this machine, and says what became slower, larger or hungrier. Minutes.
#
#   ci/compare.sh BASE [OUT]
#
# OUT is a folder for the report (regress.txt, summary.md, regress.json, report.html)
# and the two recordings; without it the report is shown alone. ROUNDS (10) is how
# often each of the two is started, ONLY a regular expression of benchmarks (ReadArray,
# Request, Trace and Session are left out unless it is set: ci/benchmarks/README.md), TIME
# what a line measures. Exit: 0 none worse, 1 a regression, 3 no verdict, 2 a mistake here.
set -Eeuo pipefail

fail() { echo "ci/compare.sh: $*" >&2; exit 2; }
trap 'fail "line $LINENO: $BASH_COMMAND"' ERR # 1 is a regression, and nothing else

[ $# -ge 1 ] && [ $# -le 2 ] || fail "want BASE and perhaps OUT, as in: ci/compare.sh origin/main results"
base=$1 out=${2:-}
rounds=${ROUNDS:-10}
[[ $rounds =~ ^[1-9][0-9]{0,2}$ ]] || fail "ROUNDS=$rounds: want 1 to 999; 8 and more for a verdict"

# What statespec refuses as --out is refused before minutes of measuring, not after:
# a folder is replaced when it is new, empty, or has results alone.
if [ -n "$out" ]; then
	mkdir -p -- "$(dirname -- "$out")" 2>/dev/null || fail "$out: cannot make the folder that it is in"
	out=$(cd -- "$(dirname -- "$out")" && pwd)/$(basename -- "$out")
	if [ -L "$out" ]; then
		out=$(readlink -e -- "$out") || fail "$2 is a link that leads nowhere"
	fi
	tried=$(mktemp -d "$(dirname -- "$out")/.compare-XXXXXX" 2>/dev/null) || fail "$out: cannot write beside it"
	rmdir -- "$tried"
	if [ -e "$out" ]; then
		[ -d "$out" ] || fail "$out is a file, want a folder"
		held=$(cd -- "$out" && find . ! -type d) || fail "$out cannot be read"
		if [ -n "$held" ]; then
			[ -f "$out/.statespec-results" ] || fail "$out is not ours: it has other files, want a new folder, an empty one or earlier results"
			foreign=$(sed 's|^\./||' <<<"$held" | grep -vxF -e .statespec-results -f "$out/.statespec-results") || :
			[ -z "$foreign" ] || fail "$out holds ${foreign%%$'\n'*}, which no run wrote and which would be lost: move it away, or choose another folder"
		fi
	fi
fi
work=$(mktemp -d) || fail "no folder for temporary files: TMPDIR is ${TMPDIR:-not set}"
trap 'rm -rf "$work"' EXIT

cd "$(dirname "$0")/.."
repository=$PWD
for tool in go git; do
	command -v "$tool" >/dev/null || fail "$tool is missing"
done
commit=$(git rev-parse --verify --quiet "$base^{commit}") || fail "$base is no commit here (a shallow clone? fetch-depth: 0)"

trap 'git -C "$repository" worktree remove --force "$work/base" 2>/dev/null || :; rm -rf "$work"' EXIT
git worktree add --quiet --detach "$work/base" "$commit"
echo "building $base ($(git rev-parse --short "$commit")) and what is checked out" >&2
(cd "$work/base" && go build -trimpath -o "$work/old" ./cmd/statespec) || fail "$base does not build"
go build -trimpath -o "$work/new" ./cmd/statespec || fail "what is checked out does not build"
"$work/old" bench --list >/dev/null 2>&1 || fail "$base has no paired benchmarks: its statespec bench does not know --list"

# Each line goes on with the orders of the one before, where both know how.
goes_on=true
for one in old new; do
	[[ $("$work/$one" bench --help) == *--line* ]] || goes_on=false
done

# One start of one of the two: a process differs from another of the same binary in
# where its memory lies, so each line is a process of its own.
measure() { # old or new, round
	local line=()
	! $goes_on || line=(--line "$(($2 - 1))")
	if ! "$work/$1" bench --count 1 "${line[@]}" --time "${TIME:-50ms}" --only "${ONLY:-^(Hit|Miss|Attr|Stats|Ring|EncoderStep|Frames|Compare)}" --out "$work/line" 2>"$work/said"; then
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
	if ((i % 2)); then measure old "$i"; measure new "$i"; else measure new "$i"; measure old "$i"; fi
done

cd "$work" # so that the recordings have these names in the report
code=0
./new regress old.txt new.txt ${out:+--out "$out"} || code=$?
case $code in
0 | 1 | 3) exit "$code" ;;
esac
kept=$(mktemp -d)
cp old.txt new.txt "$kept"
fail "statespec regress ended with $code; the recordings are in $kept"
