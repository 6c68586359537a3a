#!/bin/sh
# run.sh of the bundle: what statespec says of this machine's GPU. It needs a POSIX
# shell with sed, grep and sha256sum, glibc 2.34 and the CUDA driver.
#
#   ./run.sh [--faults] [FOLDER]     results into FOLDER (results); an earlier run's go
#
# --faults runs each planted fault as well, which the suite has to see. The CUDA driver
# is the machine's own, or the library that CUDA_DRIVER_LIB names.
#
# Exit code: 0 everything passed; 1 something did not; 2 wrong usage; 3 no verdict: no
# device, a damaged bundle, a step that could not be run; 130 interrupted. FOLDER has
# summary.md, and a log of each step, also of a run that ended early.
set -u
LC_ALL=C
export LC_ALL

faults=
folder=
for word in "$@"; do
	case $word in
	--faults) faults=1 ;;
	-h | --help)
		sed -n '2,/^set/{/^set/d;s/^# \{0,1\}//;p;}' "$0"
		exit 0
		;;
	-*) echo "run.sh: $word: want --faults, or the folder for results" >&2; exit 2 ;;
	*)
		[ -z "$folder" ] || { echo "run.sh: $word: want one folder, and $folder is one" >&2; exit 2; }
		folder=$word
		;;
	esac
done
folder=${folder:-results}
marker=.statespec-gpu-run

here=$(cd "$(dirname "$0")" && pwd) || exit 3
if [ -e "$folder" ] && [ ! -f "$folder/$marker" ] && [ -n "$(ls -A "$folder" 2>&1)" ]; then
	echo "run.sh: $folder is there and no earlier run's: name another folder" >&2
	exit 2
fi
rm -rf "$folder"
mkdir -p "$folder" && results=$(cd "$folder" && pwd) && : >"$results/$marker" || { echo "run.sh: $folder cannot be written" >&2; exit 2; }

overall=0   # 1 before 3 before 0
why=        # there is no verdict
child=      # the process of the step that runs
current=    # its name
state=incomplete
planned='run ab gpu cuda kernels bench-gpu bench-cuda'
[ -z "$faults" ] || planned="$planned faults"
: >"$results/.steps"

say() { echo "run.sh: $*" >&2; }

# fact KEY: what the device says of itself.
fact() { sed -n "s/^=== ATTR  TestTheDeviceSaysWhatItIs $1 //p" "$results/device.log" 2>/dev/null | head -n 1; }

# cell TEXT: in a table of Markdown.
cell() { printf '%s' "$1" | tr '\n\t' '  ' | sed 's/|/\\|/g'; }

# worse CODE: what the run comes to with one more step.
worse() {
	case $overall$1 in
	?0) ;;
	1? | ?1) overall=1 ;;
	*) overall=3 ;;
	esac
}

# summary writes summary.md, at once or not at all.
summary() {
	{
		case $(fact driver) in
		real) echo "# statespec on a real GPU: $(fact device)" ;;
		simulated) echo "# statespec on simulated CUDA: no result of a GPU" ;;
		*) echo "# statespec: neither a real GPU nor simulated CUDA was asked" ;;
		esac
		echo
		[ -z "$why" ] || printf 'No verdict: %s.\n\n' "$why"
		case $state in
		incomplete) printf 'Incomplete: the run has not come to its end.\n\n' ;;
		*) printf 'Exit code %s: %s.\n\n' "$overall" "$state" ;;
		esac
		if [ -n "$(fact device)" ]; then
			echo "| | |"
			echo "|---|---|"
			echo "| device | $(cell "$(fact device)"), compute capability $(fact compute-capability), $(fact memory) bytes |"
			echo "| CUDA driver | $(fact driver), for CUDA $(fact cuda-driver), $(cell "$(fact cuda-driver-library)") |"
			[ "$(fact driver)" != real ] || [ ! -r /proc/driver/nvidia/version ] ||
				echo "| kernel module | $(cell "$(head -n 1 /proc/driver/nvidia/version)") |"
			echo "| machine | $(cell "$(uname -srm)") |"
			echo "| statespec | $(cell "$("$here/bin/statespec" version 2>/dev/null | head -n 1)") |"
			echo "| began | $began |"
			echo
			echo "| step | verdict | exit code | log |"
			echo "|---|---|---|---|"
			cat "$results/.steps"
			for name in $planned; do echo "| $name | not run | | |"; done
		fi
	} >"$results/.summary" && mv "$results/.summary" "$results/summary.md"
}

# finish CODE: the end, whatever came before.
finish() {
	rm -f "$results/.steps"
	say "$(sed -n '1s/^# //p' "$results/summary.md"): $state (exit code $1)"
	say "results: $results/summary.md"
	exit "$1"
}

# nothing REASON: no verdict is possible.
nothing() {
	why=$1 state='no verdict' overall=3
	summary
	say "$why"
	finish 3
}

interrupted() {
	trap '' HUP INT TERM
	if [ -n "$child" ]; then
		kill -TERM "$child" 2>/dev/null
		wait "$child" 2>/dev/null
		row "$current" interrupted ''
	fi
	benchmarks
	why=interrupted
	summary
	state=interrupted
	finish 130
}
trap interrupted HUP INT TERM

# verdict NAME: the line that says what a step came to.
verdict() {
	case $1 in
	run | ab) head -n 1 "$results/$1.log" ;;
	bench-*) echo "$(grep -c '^Benchmark.* ns/op' "$results/$1.log") measurements" ;;
	*)
		ran=$(sed -n 's/^\(Ran [0-9]* of [0-9]* Specs\).*/, \1/p' "$results/$1.log" | head -n 1)
		echo "$(grep -c '^ *--- PASS' "$results/$1.log") passed, $(grep -c '^ *--- FAIL' "$results/$1.log") failed, $(grep -c '^ *--- SKIP' "$results/$1.log") skipped$ran"
		;;
	esac
}

# row NAME VERDICT CODE: what a planned step came to.
row() {
	printf '| %s | %s | %s | %s.log |\n' "$1" "$(cell "$2")" "$3" "$1" >>"$results/.steps"
	planned=$(echo " $planned " | sed "s/ $1 / /;s/^ *//;s/ *$//")
}

# step NAME FOLDER COMMAND...: runs in a folder, and never takes the others with it.
step() {
	current=$1 in=$2
	shift 2
	say "$current"
	(cd "$in" && exec "$@") >"$results/$current.log" 2>"$results/$current.stderr" </dev/null &
	child=$!
	wait "$child"
	code=$?
	child=
	[ -s "$results/$current.stderr" ] || rm -f "$results/$current.stderr"
	counts=$code
	case $current:$code in
	*:0 | *:1 | *:3) ;;
	*:126 | *:127 | run:* | ab:*) counts=3 ;; # could not be started, or no answer of the suite
	*) counts=1 ;;                            # a test's process that ended otherwise
	esac
	worse "$counts"
	row "$current" "$(verdict "$current")" "$code"
	summary
}

# benchmarks joins what was measured, in Go's benchmark format, with what it was measured on.
benchmarks() {
	for name in bench-gpu bench-cuda; do
		[ -f "$results/$name.log" ] || return 0
	done
	{
		for key in device compute-capability cuda-driver driver; do echo "$key: $(fact "$key")"; done
		cat "$results/bench-gpu.log" "$results/bench-cuda.log"
	} >"$results/bench.txt"
}

began=$(date -u +%Y-%m-%dT%H:%M:%SZ)
command -v sha256sum >/dev/null || nothing "sha256sum is missing, so that the bundle cannot be checked"
(cd "$here" && sha256sum -c SHA256SUMS) >"$results/sums.log" 2>&1 ||
	nothing "the bundle is damaged: $(grep -v ': OK$' "$results/sums.log" | head -n 1)"

# The device is asked for first, and why there is none; a skip is no failure yet.
(cd "$here/fixtures/gpu" && STATESPEC_REQUIRE_GPU='' exec "$here/bin/gpu.test" -test.run '^TestTheDeviceSaysWhatItIs$' -test.v -test.timeout 5m) >"$results/device.log" 2>&1 </dev/null
code=$?
if [ "$code" -ne 0 ] || [ -z "$(fact device)" ]; then
	reason=$(sed -n 's/^ *[a-z_]*_test\.go:[0-9]*: //p' "$results/device.log" | head -n 1)
	nothing "${reason:-$(tail -n 1 "$results/device.log")}"
fi
summary

# From here on a test without a device fails.
STATESPEC_REQUIRE_GPU=1
export STATESPEC_REQUIRE_GPU
bin=$here/bin
gpu=$here/fixtures/gpu
must='EQV-09 || PRK'
step run "$results" "$bin/statespec" run --device cuda:0 --require "$must" --out "$results/run"
# One configuration in two processes, one variable flipped, bit for bit.
step ab "$results" "$bin/statespec" run --device cuda:0 --only EQV-09 --require EQV-09 --out "$results/ab"
step gpu "$gpu" "$bin/gpu.test" -test.v -test.timeout 60m -ginkgo.no-color
# What is left out reads the Go sources, or compiles the kernels for the host: it is no
# matter of this machine.
step cuda "$gpu" "$bin/cuda.test" -test.v -test.timeout 30m -test.skip '^TestBothFaces'
step kernels "$gpu/kernels" "$bin/kernels.test" -test.v -test.timeout 30m \
	-test.skip '^(TestTheHostTwins|TestATwin|TestTheOrderOfThreads|TestEveryArray|TestThePTXIsWhat)'
step bench-gpu "$gpu" "$bin/gpu.test" -test.run '^$' -test.bench . -test.benchmem -test.benchtime 20x -test.timeout 30m
step bench-cuda "$gpu" "$bin/cuda.test" -test.run '^$' -test.bench . -test.benchmem -test.benchtime 20x -test.timeout 30m
benchmarks
[ -z "$faults" ] || step faults "$gpu" "$bin/faulty.test" -test.v -test.timeout 60m

case $overall in
0) state=passed ;;
1) state=failed ;;
*) state='no verdict' ;;
esac
summary
finish "$overall"
