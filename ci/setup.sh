#!/usr/bin/env bash
# What .ci/run needs beside Go and git, on Debian: a C compiler for the race
# detector and simulated CUDA, Python with numpy, and Node for the drivers, make and
# clang for the kernels. Run it as root.
set -euo pipefail
missing=()
command -v gcc >/dev/null || missing+=(gcc libc6-dev)
/usr/bin/python3 -c 'import numpy' 2>/dev/null || missing+=(python3 python3-numpy)
command -v node >/dev/null || missing+=(nodejs)
command -v make >/dev/null || missing+=(make)
command -v clang-14 >/dev/null || missing+=(clang-14)
[ ${#missing[@]} -gt 0 ] || exit 0
apt-get update -qq
DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}"
