#!/usr/bin/env bash
# Is kernels.ptx what kernels.cu makes, and has it only the arithmetic that gives
# the same bits as the Go code?
#
#   gpu/kernels/check.sh [FILE]    FILE instead of kernels.ptx
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
ptx=$(realpath "${1:-$here/kernels.ptx}")
fail() { echo "gpu/kernels/check.sh: $*" >&2; exit 1; }

# none PATTERN WHY: no line of the PTX matches.
none() {
	local found=0
	grep -nE "$1" "$ptx" >&2 || found=$?
	case $found in
	0) fail "$ptx has $2, above" ;;
	1) ;;
	*) fail "grep failed on $ptx" ;;
	esac
}
[ -s "$ptx" ] || fail "no PTX in $ptx: run gpu/kernels/build.sh"
none 'fma|mad[.a-z]*\.f' "a fused multiply-add"
none 'approx|\.full' "an approximation"
none 'ftz' "a flush of subnormals to zero"
none '\b(add|sub|mul|div)(\.sat)?\.f(16|32|64)' "arithmetic without .rn, which ptxas may fuse"
none '\.f16|\.bf16|\.f64' "a float that is not a float32"
none '\.param \.([^u]|u[^6])' "a parameter that is not a u64"
grep -q 'mul\.rn\.f32' "$ptx" || fail "not one float32 product in $ptx: is it PTX of kernels.cu?"

again=$(mktemp)
trap 'rm -f "$again"' EXIT
"$here/build.sh" "$again"
cmp "$again" "$ptx" >&2 || fail "$ptx is not what kernels.cu makes with $(clang-14 --version | head -n 1): run gpu/kernels/build.sh, and commit both"
echo "$(grep -c '^\.visible \.entry' "$ptx") kernels, $(stat -c %s "$ptx") bytes of PTX as built, nothing fused, approximate or flushed" >&2
