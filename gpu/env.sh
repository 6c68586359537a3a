#!/bin/sh
# Prints what Go needs to build and run with -tags cuda, for a shell's eval.
#
#   eval "$(gpu/env.sh)"          simulated CUDA, unless CUDA_DRIVER_LIB names a CUDA driver already
#   eval "$(gpu/env.sh sim)"      simulated CUDA
#   eval "$(gpu/env.sh system)"   the machine's own CUDA driver, where it has one
#   eval "$(gpu/env.sh none)"     no CUDA driver: the machine has zero devices
#   eval "$(gpu/env.sh FILE)"     the CUDA driver in that file
#
# The header and the libraries come from `make gpu-sim`, which has to run first.
set -eu

cache=${STATESPEC_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/statespec}/cuda

case ${1:-${CUDA_DRIVER_LIB:-sim}} in
sim) library=$cache/lib/libcudasim.so ;;
system) library= ;;
*) library=${1:-$CUDA_DRIVER_LIB} ;;
esac

for file in "$cache/include/cuda.h" "$cache/lib/libcuda.a" ${library:+"$library"}; do
	[ "$file" = none ] || [ -f "$file" ] && continue
	echo "gpu/env.sh: $file is missing: run make gpu-sim first" >&2
	exit 1
done

# quote TEXT: one word for the shell that evaluates it.
quote() { printf "'%s'" "$(printf %s "$1" | sed "s/'/'\\\\''/g")"; }

# Go does not look into the archive: it has to see in its flags that it is another one.
# The linker makes nothing of a -D.
archive=$(cksum <"$cache/lib/libcuda.a")

echo "export CGO_CFLAGS=$(quote "-O2 -g '-I$cache/include'")"
echo "export CGO_LDFLAGS=$(quote "-O2 -g '-L$cache/lib' -ldl -DCUDASHIM=${archive%% *}")"
if [ -n "$library" ]; then
	echo "export CUDA_DRIVER_LIB=$(quote "$library")"
else
	echo "unset CUDA_DRIVER_LIB"
fi
