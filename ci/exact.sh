#!/usr/bin/env bash
# Says in which exact values, allocations and bytes held, two recordings of benchmarks
# differ: a line for each, also of what is in one of them alone. Whatever a value has
# become, it is not what was recorded.
#
#   ci/exact.sh OLD NEW
#
# Exit: 0 none differs, 1 some do, 2 a mistake here.
set -euo pipefail

fail() { echo "ci/exact.sh: $*" >&2; exit 2; }

[ $# = 2 ] || fail "want OLD and NEW"
work=$(mktemp -d) || fail "no folder for temporary files"
trap 'rm -rf "$work"' EXIT

# Each exact value of a recording, once: "NAME UNIT", a tab, the value. A value that
# varies there is there more than once.
values() {
	local name times value unit rest
	while read -r name times rest; do
		[[ $name == Benchmark* ]] || continue
		# shellcheck disable=SC2086 # values and units in turn
		set -- $rest
		while [ $# -ge 2 ]; do
			value=$1 unit=$2
			shift 2
			case $unit in allocs/op | bytes-held) printf '%s %s\t%s\n' "${name#Benchmark}" "$unit" "$value" ;; esac
		done
	done <"$1" | LC_ALL=C sort -u
}
for i in 1 2; do
	[ -f "${!i}" ] && [ -r "${!i}" ] || fail "${!i}: no such recording"
	values "${!i}" >"$work/$i"
	[ -s "$work/$i" ] || fail "${!i}: no exact value in it"
done

differ=0
while IFS=$'\t' read -r what old new; do
	[ "$old" != "$new" ] || continue
	differ=1
	case - in
	"$old") echo "$what: not in $1, $new in $2" ;;
	"$new") echo "$what: $old in $1, not in $2" ;;
	*) echo "$what: $old in $1, $new in $2" ;;
	esac
done < <(LC_ALL=C join -t $'\t' -a 1 -a 2 -e - -o 0,1.2,2.2 "$work/1" "$work/2")
exit "$differ"
