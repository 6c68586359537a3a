#!/usr/bin/env bash
# What .ci/run needs beside Go and git, on Debian: a C compiler for the race
# detector, Python with numpy, and Node for the drivers. Run it as root.
set -euo pipefail
missing=()
command -v gcc >/dev/null || missing+=(gcc libc6-dev)
/usr/bin/python3 -c 'import numpy' 2>/dev/null || missing+=(python3 python3-numpy)
command -v node >/dev/null || missing+=(nodejs)
[ ${#missing[@]} -gt 0 ] || exit 0
apt-get update -qq
DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}"
