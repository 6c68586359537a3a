package kernels

import (
	"encoding/binary"
	"math/bits"
)

const (
	prime1 = 0x9E3779B185EBCA87
	prime2 = 0xC2B2AE3D27D4EB4F
	prime3 = 0x165667B19E3779F9
	prime4 = 0x85EBCA77C2B2AE63
	prime5 = 0x27D4EB2F165667C5
)

// XXH64 returns the hash of that name, as its specification has it.
func XXH64(b []byte, seed uint64) uint64 {
	n, hash := uint64(len(b)), seed+prime5
	if len(b) >= 32 {
		lanes := [4]uint64{seed, seed, seed, seed}
		for i, start := range startOfLanes {
			lanes[i] += start
		}
		for ; len(b) >= 32; b = b[32:] {
			for i := range lanes {
				lanes[i] = mixed(lanes[i], binary.LittleEndian.Uint64(b[8*i:]))
			}
		}
		hash = bits.RotateLeft64(lanes[0], 1) + bits.RotateLeft64(lanes[1], 7) + bits.RotateLeft64(lanes[2], 12) + bits.RotateLeft64(lanes[3], 18)
		for _, lane := range lanes {
			hash = (hash^mixed(0, lane))*prime1 + prime4
		}
	}
	hash += n
	for ; len(b) >= 8; b = b[8:] {
		hash = bits.RotateLeft64(hash^mixed(0, binary.LittleEndian.Uint64(b)), 27)*prime1 + prime4
	}
	if len(b) >= 4 {
		hash = bits.RotateLeft64(hash^uint64(binary.LittleEndian.Uint32(b))*prime1, 23)*prime2 + prime3
		b = b[4:]
	}
	for _, v := range b {
		hash = bits.RotateLeft64(hash^uint64(v)*prime5, 11) * prime1
	}
	hash = (hash ^ hash>>33) * prime2
	hash = (hash ^ hash>>29) * prime3
	return hash ^ hash>>32
}

// startOfLanes is what the four lanes begin with, less the seed: prime1 + prime2,
// prime2, nothing, and -prime1, in 64 bits.
var startOfLanes = [4]uint64{0x60EA27EEADC0B5D6, prime2, 0, 0x61C8864E7A143579}

func mixed(lane, word uint64) uint64 { return bits.RotateLeft64(lane+word*prime2, 31) * prime1 }
