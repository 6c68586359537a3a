#!/usr/bin/env bash
# Makes PTX of kernels.cu: kernels.ptx, or the file named. The same source gives the
# same bytes, so long as it is the same clang.
#
#   gpu/kernels/build.sh [FILE]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

to=${1:-kernels.ptx}
command -v clang-14 >/dev/null || { echo "gpu/kernels/build.sh: clang-14 is missing (Debian 12: apt-get install clang-14); another version makes other PTX" >&2; exit 1; }
made=$(mktemp "$to.XXXXXX")
trap 'rm -f "$made"' EXIT
clang-14 -x cuda --cuda-device-only --cuda-gpu-arch=sm_80 -nocudainc -nocudalib -nostdinc \
	-O2 -ffp-contract=off -Wall -Wextra -Werror -S -o "$made" kernels.cu
chmod 644 "$made"
mv "$made" "$to"
