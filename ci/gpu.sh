#!/usr/bin/env bash
# The suite with -tags cuda on simulated CUDA, wherever there is no GPU. It needs Go,
# gcc, make and clang-14, and the CUDA driver API's header, which gpu/header.sh fetches:
# what is missing fails it by name.
#
#   ci/gpu.sh [fast]     with each change
#   ci/gpu.sh nightly    and then in the other order of copies, under the race detector,
#                        with memory and counters as a GPU has them, with each planted
#                        fault, and simulated CUDA's own tests
set -euo pipefail
cd "$(dirname "$0")/.."

mode=${1:-fast}
case $mode in
fast | nightly) ;;
*) echo "ci/gpu.sh: $mode: want fast or nightly" >&2; exit 2 ;;
esac

fail() { echo "ci/gpu.sh: $*" >&2; exit 1; }
need() { command -v "$1" >/dev/null || fail "$1 is missing: $2"; }
step() { printf '\n== %s\n' "$*" >&2; }

need go "install Go $(sed -n 's/^go //p' go.mod) or newer"
need gcc "the bindings and simulated CUDA are C (Debian: apt-get install gcc libc6-dev)"
need make "gpu/gpu.mk is make's (Debian: apt-get install make)"
need clang-14 "the kernels' PTX is built again and compared (Debian 12: apt-get install clang-14)"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

step "the header, the stand-in for -lcuda, simulated CUDA"
make -s -f gpu/gpu.mk gpu-sim
settings=$(gpu/env.sh sim)
eval "$settings"
unset CUDASIM
export STATESPEC_REQUIRE_GPU=1

step "vet, without and with -tags cuda"
go vet ./gpu/... ./cmd/statespec
go vet -tags cuda ./gpu/... ./cmd/statespec

step "the kernels' PTX is what their source makes"
gpu/kernels/check.sh

specs=0 # that ran on a device that said it is simulated

# suite NAME [FLAG...]: the tests, and the suite as the command runs it.
suite() {
	local name=$1 log=$work/$1.log ran
	shift
	step "$name: every spec on the device, nothing left on it at the end"
	go test "$@" -count 1 -timeout 60m -tags cuda -v ./gpu -args -ginkgo.no-color >"$log" 2>&1 || { cat "$log" >&2; fail "$name: go test ./gpu"; }
	grep -q '^=== ATTR  TestTheDeviceSaysWhatItIs driver simulated$' "$log" || fail "$name: the device does not say that it is simulated"
	ran=$(sed -n 's/^Ran \([0-9][0-9]*\) of [0-9]* Specs.*/\1/p' "$log")
	[ "${ran:-0}" -gt 0 ] || fail "$name: no spec ran"
	grep '^Ran ' "$log" >&2
	specs=$((specs + ran))

	step "$name: memory, streams, kernels"
	go test "$@" -count 1 -timeout 60m -tags cuda ./gpu/cuda ./gpu/kernels

	step "$name: a verdict per guarantee on cuda:0"
	go build "$@" -tags cuda -o "$work/statespec" ./cmd/statespec
	"$work/statespec" run --device cuda:0 --strict --require 'EQV-09 || PRK' --out "$work/$name"
	ran=$(grep -c '"outcome": "held"' "$work/$name/results.json") || fail "$name: statespec run: no spec held"
	specs=$((specs + ran))
}

suite fast

step "two devices at once: the bytes of each are its own"
CUDASIM=devices=2 "$work/statespec" run --device cuda:0,cuda:1 --only 'ACC-01 || ACC-18 || EVI-15 || OBJ || PRK' --strict --require 'ACC-01 || PRK' >"$work/two" || { cat "$work/two" >&2; fail "two devices"; }
tail -n 1 "$work/two" >&2

step "the benchmarks run"
go test -count 1 -tags cuda -run '^$' -bench . -benchtime 1x ./gpu ./gpu/cuda

if [ "$mode" = nightly ]; then
	step "a kernel's threads in the other order"
	CUDASIM=threads=backward go test -count 1 -tags cuda ./gpu/kernels

	# A program has to hold in both orders that a CUDA driver may take.
	export CUDASIM=copies=late,pageable=defer
	suite late
	suite race -race

	# And whatever memory holds before it is written, whoever has the other half of it.
	export CUDASIM=memory=plain,info=shared
	suite plain
	unset CUDASIM

	for sim in memory=poisoned memory=plain,info=shared; do
		step "each planted fault is found: $sim"
		CUDASIM=$sim go test -count 1 -tags cuda -timeout 60m ./gpu/faulty
	done

	step "simulated CUDA itself"
	go test -count 1 -timeout 30m ./gpu/sim/... ./gpu/tools/...
fi

step "passed: $specs specs ran simulated, and none on a GPU: nothing here is a result of a GPU"
