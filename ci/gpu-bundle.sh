#!/usr/bin/env bash
# Makes the bundle for a machine with a GPU, and without Go, a compiler or a network:
# statespec-gpu-linux-amd64.tar.gz in the folder that OUT names (the current one). The
# same commit, Go and gcc give the same bytes. Before it is kept it is unpacked
# elsewhere and run on simulated CUDA; minutes.
#
#   OUT=dist ci/gpu-bundle.sh
set -euo pipefail

fail() { echo "ci/gpu-bundle.sh: $*" >&2; exit 1; }
step() { echo "== $*" >&2; }

name=statespec-gpu-linux-amd64
newest=2.34 # of glibc's symbols: what a runner of 2021 and later has
mkdir -p "${OUT:-.}"
out=$(cd "${OUT:-.}" && pwd)
cd "$(dirname "$0")/.."

for tool in go gcc make objdump tar gzip sha256sum; do
	command -v "$tool" >/dev/null || fail "$tool is missing (Debian: apt-get install gcc libc6-dev make binutils, and Go from go.dev)"
done
host=$(go env GOHOSTOS)/$(go env GOHOSTARCH)
[ "$host" = linux/amd64 ] || fail "it is built on linux/amd64 alone, and this is $host"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
bundle=$work/$name
mkdir -p "$bundle/bin" "$bundle/fixtures/gpu/kernels"

step "build"
make -s -f gpu/gpu.mk gpu-sim
settings=$(gpu/env.sh sim)
eval "$settings"
simulated=$CUDA_DRIVER_LIB
unset CUDA_DRIVER_LIB CUDASIM GOFLAGS
export GOOS=linux GOARCH=amd64 GOAMD64=v1 CGO_ENABLED=1
flags=(-tags cuda -trimpath -ldflags='-s -w')
go build "${flags[@]}" -o "$bundle/bin/statespec" ./cmd/statespec
go test -c "${flags[@]}" -o "$bundle/bin/gpu.test" ./gpu
for package in cuda kernels faulty; do
	go test -c "${flags[@]}" -o "$bundle/bin/$package.test" "./gpu/$package"
done

step "no symbol newer than GLIBC_$newest, no library but glibc's"
# newer FILE: the version of the newest symbol of glibc, where it is too new.
newer() {
	local found
	found=$( (objdump -T "$1" | grep -o 'GLIBC_[0-9.]*[0-9]' || :) | sed 's/GLIBC_//' | sort -Vu | tail -n 1)
	[ -n "$found" ] || fail "${1##*/} has no symbol of glibc: objdump could not read it"
	[ "$(printf '%s\n' "$newest" "$found" | sort -V | tail -n 1)" = "$newest" ] || echo "$found"
}
for file in "$bundle"/bin/*; do
	found=$(newer "$file")
	[ -z "$found" ] || fail "${file##*/} needs GLIBC_$found, and GLIBC_$newest is what runners have: $(objdump -T "$file" | grep -F "GLIBC_$found" | awk '{print $NF}' | head -n 3 | xargs): build it on Debian 12 or older"
	foreign=$(objdump -p "$file" | awk '$1 == "NEEDED" {print $2}' | grep -Evx 'lib(c|m|dl|rt|pthread|resolv)\.so\.[0-9]+|ld-linux-x86-64\.so\.2' || :)
	[ -z "$foreign" ] || fail "${file##*/} needs $foreign: want glibc alone, and the CUDA driver at run time"
done

step "pack"
cp gpu/README.md "$bundle/fixtures/gpu/README.md" # what the tests read
cp gpu/kernels/kernels.cu "$bundle/fixtures/gpu/kernels/kernels.cu"
cp ci/gpu-run.sh "$bundle/run.sh"
cat >"$bundle/README" <<'END'
statespec on a GPU, for Linux on amd64. It needs glibc 2.34 or newer (Debian 12,
Ubuntu 22.04, RHEL 9) and NVIDIA's driver 535 or newer; no Go, no toolkit, no network.

    ./run.sh                    everything, into ./results
    ./run.sh --faults           each planted fault as well
    ./run.sh --help             exit codes

results/summary.md says device, CUDA driver and what came of each step. More is in
gpu/README.md of the repository, which is fixtures/gpu/README.md here.
END
find "$bundle" -type d -exec chmod 755 {} +
find "$bundle" -type f -exec chmod 644 {} +
chmod 755 "$bundle"/bin/* "$bundle/run.sh"
(cd "$bundle" && find . -type f ! -name SHA256SUMS -print0 | LC_ALL=C sort -z | xargs -0 sha256sum) >"$work/sums"
install -m 644 "$work/sums" "$bundle/SHA256SUMS"
LC_ALL=C tar --sort=name --mtime=@0 --owner=0 --group=0 --numeric-owner --format=ustar -C "$work" -cf - "$name" | gzip -n9 >"$work/$name.tar.gz"

step "check it: elsewhere, without Go, on simulated CUDA"
# The commands that run.sh may use; what it lacks on a runner it lacks here.
tools=$work/tools
mkdir "$tools" "$work/elsewhere"
for tool in sh cat cd chmod cp date dirname grep head ls mkdir mv pwd rm sed sha256sum tail tr uname; do
	path=$(command -v "$tool") || fail "$tool is missing"
	[ "${path#/}" = "$path" ] || ln -s "$path" "$tools/$tool"
done
tar -xzf "$work/$name.tar.gz" -C "$work/elsewhere"
there=$work/elsewhere/$name
# run CODE DRIVER FOLDER: run.sh ends with this code.
run() {
	local code=0
	(cd "$work/elsewhere" && exec env -i PATH="$tools" TMPDIR="$work/elsewhere" CUDA_DRIVER_LIB="$2" "./$name/run.sh" "$3") >"$work/run.log" 2>&1 || code=$?
	[ "$code" = "$1" ] && return
	cat "$work/run.log" "$work/elsewhere/$3/summary.md" >&2 || :
	tail -n 40 "$work/elsewhere/$3"/*.log >&2 || :
	fail "run.sh ended with $code, want $1"
}
# says FILE PATTERN: what the run reports.
says() { grep -q -- "$2" "$work/elsewhere/$1" || { cat "$work/elsewhere/$1" >&2; fail "$1 does not say: $2"; }; }

run 3 none without
says without/summary.md '^No verdict: no CUDA device: CUDA_DRIVER_LIB is none\.$'

run 0 "$simulated" simulated
says simulated/summary.md '^# statespec on simulated CUDA: no result of a GPU$'
says simulated/summary.md '^Exit code 0: passed\.$'
for row in run ab gpu cuda kernels bench-gpu bench-cuda; do
	says simulated/summary.md "^| $row | ..* | 0 | $row.log |\$"
done
says simulated/run/results.json '"name": "reference with [^"]*[Ss]imulated'
says simulated/gpu.log '^Ran [1-9][0-9]* of [0-9]* Specs'
says simulated/bench.txt '^driver: simulated$'
for benchmark in $(sed -n 's/^func \(Benchmark[A-Za-z]*\)(b \*testing.B) {$/\1/p' gpu/bench_test.go gpu/cuda/bench_cuda_test.go); do
	says simulated/bench.txt "^$benchmark[/-]"
done

echo damage >>"$there/fixtures/gpu/README.md"
run 3 "$simulated" damaged
says damaged/summary.md '^No verdict: the bundle is damaged: \./fixtures/gpu/README\.md: FAILED\.$'

cp "$work/$name.tar.gz" "$out/.$name.tar.gz.$$"
mv "$out/.$name.tar.gz.$$" "$out/$name.tar.gz"
sed -n '/^| step/,$p' "$work/elsewhere/simulated/summary.md" >&2
step "$out/$name.tar.gz: $(stat -c %s "$out/$name.tar.gz") bytes, sha256 $(sha256sum "$out/$name.tar.gz" | cut -d ' ' -f 1)"
