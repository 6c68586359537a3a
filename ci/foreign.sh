#!/usr/bin/env bash
# The recorded rollouts on processors that are not this one, under qemu: arm64, which
# fuses multiply and add, and s390x, whose bytes lie the other way round. It needs
# qemu's user emulation (Debian: apt-get install qemu-user-static), and takes some
# minutes.
set -euo pipefail
cd "$(dirname "$0")/.."

emulator() {
	local name
	for name in "qemu-$1-static" "qemu-$1"; do
		command -v "$name" && return
	done
	echo "ci/foreign.sh: qemu-$1 is missing: install qemu's user emulation (Debian: apt-get install qemu-user-static)" >&2
	return 1
}

binary=$(mktemp -d)
trap 'rm -rf "$binary"' EXIT

# GOARCH, qemu's name, and which rollouts: emulated big-endian is ten times slower.
while read -r arch machine which; do
	emulate=$(emulator "$machine")
	echo "+ $arch: fixtures/rollout" >&2
	GOARCH=$arch CGO_ENABLED=0 go test -c -o "$binary/$arch.test" ./fixtures/rollout
	said=$("$emulate" "$binary/$arch.test" -test.v -test.run "TestTheRolloutsHaveTheirRecordedDigestsOnThisMachine/$which") || { echo "$said"; exit 1; }
	# A name that matches nothing passes too.
	passed=$(grep -c '^    --- PASS' <<<"$said") || { echo "ci/foreign.sh: no rollout is named $which" >&2; exit 1; }
	echo "$arch: $passed rollouts have their recorded digests" >&2
done <<'END'
arm64 aarch64 .
s390x s390x ^(tiny|small_bfloat16_managed)
END
