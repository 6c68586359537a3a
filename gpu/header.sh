#!/bin/sh
# Puts the CUDA driver API's header into the cache, and prints where it is.
#
#   gpu/header.sh
#
# The header is the vendor's and no part of the repository. It is the one of a CUDA 11
# or 12 toolkit where the machine has one (CUDA_HOME, CUDA_PATH, /usr/local/cuda, /usr).
# Otherwise it is taken out of Debian's non-free package nvidia-cuda-dev (CUDA 11.8),
# which is fetched with apt lists of its own: the system's sources stay as they are and
# nobody has to be root. The mirror is the system's; DEBIAN_MIRROR names another.
# The package has 774 MB and is deleted once the header is out.
#
# A header that is in the cache already is used as it is: one fixed place outside the
# checkout, or Go compiles the bindings again for every checkout.
set -eu

cache=${STATESPEC_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/statespec}/cuda
header=$cache/include/cuda.h
release=bookworm
package=nvidia-cuda-dev

say() { echo "gpu/header.sh: $*" >&2; }

# version FILE: the header's CUDA_VERSION, 11080 for 11.8; nothing where it has none.
version() {
	sed -n 's/^#define[[:space:]][[:space:]]*CUDA_VERSION[[:space:]][[:space:]]*\([0-9][0-9]*\).*/\1/p' "$1" 2>/dev/null | head -n 1
}

words() { echo "$(($1 / 1000)).$(($1 % 1000 / 10))"; }

# usable FILE: the bindings (gorgonia.org/cu) compile with it. Else why not, on stderr.
usable() {
	v=$(version "$1")
	if [ -z "$v" ]; then
		say "$1 is passed over: it defines no CUDA_VERSION"
		return 1
	elif [ "$v" -ge 13000 ]; then
		say "$1 is passed over: it is CUDA $(words "$v")'s, and gorgonia.org/cu compiles with those of CUDA 11 and 12 alone"
		return 1
	elif [ "$v" -lt 11000 ]; then
		say "$1 is passed over: it is CUDA $(words "$v")'s, want CUDA 11 or 12"
		return 1
	fi
}

# keep FILE WHENCE: into the cache under its name at once or not at all.
keep() {
	mkdir -p "$cache/include"
	cp "$1" "$work/cuda.h"
	chmod 644 "$work/cuda.h"
	mv -f "$work/cuda.h" "$header"
	say "cuda.h of CUDA $(words "$(version "$header")") from $2"
}

if [ -f "$header" ] && usable "$header"; then
	echo "$header"
	exit 0
fi

# What a killed call left behind could be 774 MB.
for left in "$cache"/header.*; do
	[ -d "$left" ] && ! kill -0 "${left##*.}" 2>/dev/null && rm -rf "$left"
done
work=$cache/header.$$
mkdir -p "$work"
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM

for toolkit in "${CUDA_HOME:-}" "${CUDA_PATH:-}" /usr/local/cuda /usr; do
	[ -n "$toolkit" ] && [ -f "$toolkit/include/cuda.h" ] || continue
	usable "$toolkit/include/cuda.h" || continue
	keep "$toolkit/include/cuda.h" "$toolkit"
	echo "$header"
	exit 0
done

hint="Install a CUDA 11 or 12 toolkit and set CUDA_HOME to it, or put its cuda.h at $header."
for tool in apt-get dpkg-deb tar; do
	command -v "$tool" >/dev/null && continue
	say "no CUDA 11 or 12 toolkit here, and no $tool to take the header out of Debian's package. $hint"
	exit 1
done
mirror=${DEBIAN_MIRROR:-}
if [ -z "$mirror" ]; then
	name=$(. /etc/os-release && echo "${ID:-} ${VERSION_CODENAME:-}") 2>/dev/null || name=
	if [ "${name%% *}" != debian ]; then
		say "no CUDA 11 or 12 toolkit here, and this is not Debian. $hint DEBIAN_MIRROR=URL takes the header from a mirror of Debian."
		exit 1
	fi
	# The URI of the system's own release; an archive of security fixes has no non-free.
	mirror=$(apt-get indextargets --format "\$(REPO_URI) \$(RELEASE) \$(COMPONENT)" "Created-By: Packages" 2>/dev/null |
		awk -v release="${name#* }" '$2 == release && $3 == "main" { print $1; exit }')
	if [ -z "$mirror" ]; then
		say "apt's sources have no mirror of ${name#* }. DEBIAN_MIRROR=URL names one. $hint"
		exit 1
	fi
fi

mkdir -p "$work/state/lists/partial" "$work/archives/partial"
: >"$work/state/status"
signed=/usr/share/keyrings/debian-archive-keyring.gpg
[ -f "$signed" ] && signed="[signed-by=$signed] " || signed=
echo "deb $signed$mirror $release non-free" >"$work/sources.list"
apt() {
	apt-get -qq -o APT::Sandbox::User=root -o Dir::Etc::sourcelist="$work/sources.list" -o Dir::Etc::sourceparts=- \
		-o Dir::State="$work/state" -o Dir::State::status="$work/state/status" -o Dir::Cache="$work" \
		-o Acquire::Languages=none -o Acquire::Retries=2 -o Acquire::http::Timeout=30 \
		-o APT::Update::Error-Mode=any "$@" >&2
}
say "fetching Debian's $package ($release, non-free, 774 MB) for its cuda.h"
if ! apt update || ! (cd "$work" && apt download "$package"); then
	say "$package could not be fetched from $mirror: is the machine online? $hint"
	exit 1
fi
# The archive ends early where tar has what it wants: dpkg-deb's complaint is no news.
dpkg-deb --fsys-tarfile "$work/$package"_*.deb 2>/dev/null | tar -xO --occurrence=1 -f - ./usr/include/cuda.h >"$work/extracted" || :
if ! usable "$work/extracted"; then
	say "$package of $mirror has no usable ./usr/include/cuda.h. $hint"
	exit 1
fi
keep "$work/extracted" "Debian's $package"
echo "$header"
