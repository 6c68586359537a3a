#!/usr/bin/env bash
# No fused multiply-add in what has to give the same bits on every processor. Go
# fuses x*y + z where the product is not rounded by a conversion first, on arm64
# and not on amd64, so that no test on amd64 can see it. Here the packages are
# compiled for arm64, and their assembly must not have such an instruction.
#
#   ci/fused.sh [PACKAGE...]
set -euo pipefail
cd "$(dirname "$0")/.."

[ $# -gt 0 ] || set -- ./equivalence/... ./fixtures/... ./gpu/kernels ./reference/...

# Packages of doc.go alone have no functions.
packages=$(go list -f '{{if gt (len .GoFiles) 1}}{{.ImportPath}}{{end}}' "$@")
[ -n "$packages" ] || { echo "ci/fused.sh: $* is no package with code" >&2; exit 1; }
assembly=$(mktemp)
trap 'rm -f "$assembly"' EXIT
# shellcheck disable=SC2086 # one word a package
GOARCH=arm64 CGO_ENABLED=0 go build -a -gcflags=-S $packages >"$assembly" 2>&1 || { grep -E '^[^[:space:]]+\.go:[0-9]+' "$assembly" >&2 || tail -n 20 "$assembly" >&2; exit 1; }

# Nothing found may mean that nothing was looked at.
for package in $packages; do
	name=$package
	[ "$(go list -f '{{.Name}}' "$package")" != main ] || name=main
	grep -qF "$name." <(grep ' STEXT ' "$assembly") || { echo "ci/fused.sh: no assembly of $package" >&2; exit 1; }
done
grep -qw FMULS "$assembly" || { echo "ci/fused.sh: not one float32 product in the assembly: is it arm64's?" >&2; exit 1; }

if grep -nE '\bFN?M(ADD|SUB)[SD]\b' "$assembly" >&2; then
	echo "ci/fused.sh: fused instructions, above: write the product as float32(x*y), or float64(x*y), before it is added" >&2
	exit 1
fi
echo "no fused instruction in $(grep -c ' STEXT ' "$assembly") functions of $(wc -w <<<"$packages") packages" >&2
