package kernels

import (
	"encoding/binary"

	"github.com/statespec/statespec/reference/fault"
)

// A Checksum is the shape of a checksum over bytes on a device. The bytes are
// hashed with XXH64 in chunks, each by a thread; the digests, little-endian, are
// bytes again, and are hashed in chunks in their turn, until one is left. The seed
// is the number of the pass, from 0, so that bytes and the digests of other bytes
// are never taken for each other. The host's side is Sum.
type Checksum struct {
	NBytes int
	// Chunk is the bytes of a chunk, a multiple of 8 from 16 on, and decides the
	// result: ChunkBytes unless there is a reason.
	Chunk int
}

// ChunkBytes is the chunk for large arrays: of 1 GiB three passes are left.
const ChunkBytes = 4096

// SumBytes is the size of a sum in device memory.
const SumBytes = 8

func (c Checksum) check() error {
	if c.NBytes < 0 || c.Chunk < 16 || c.Chunk%8 != 0 {
		return fault.New(fault.ErrInvalidArgument, "checksum of %d bytes in chunks of %d: 0 bytes or more, in chunks of a multiple of 8 from 16 on", c.NBytes, c.Chunk)
	}
	return nil
}

// passes returns the chunks of each pass; the last is 1.
func (c Checksum) passes() []int {
	var counts []int
	for n := c.NBytes; ; {
		chunks := max(1, (n-1)/c.Chunk+1)
		counts = append(counts, chunks)
		if chunks == 1 {
			return counts
		}
		n = SumBytes * chunks
	}
}

// ScratchBytes returns the device memory that the calls write, which the digests of
// every pass share.
func (c Checksum) ScratchBytes() (int, error) {
	if err := c.check(); err != nil {
		return 0, err
	}
	total := 0
	for _, chunks := range c.passes() {
		total += SumBytes * chunks
	}
	return total, nil
}

// Calls returns the passes, to be launched in order on one stream. Scratch is a
// multiple of 8. The sum, a little-endian uint64, is then the last SumBytes of the
// scratch.
func (c Checksum) Calls(data, scratch uintptr) ([]Call, error) {
	if err := c.check(); err != nil {
		return nil, err
	}
	if scratch%8 != 0 {
		return nil, fault.New(fault.ErrInvalidArgument, "checksum with its scratch at %#x: want a multiple of 8", scratch)
	}
	var calls []Call
	nbytes := c.NBytes
	for pass, chunks := range c.passes() {
		calls = append(calls, call(XXH64ChunksKernel, chunks, uint64(scratch), uint64(data), uint64(nbytes), uint64(c.Chunk), uint64(pass)))
		data, nbytes = scratch, SumBytes*chunks
		scratch += uintptr(nbytes)
	}
	return calls, nil
}

// Sum is the checksum in Go, of bytes in chunks.
func Sum(b []byte, chunk int) (uint64, error) {
	c := Checksum{NBytes: len(b), Chunk: chunk}
	if err := c.check(); err != nil {
		return 0, err
	}
	for pass, chunks := range c.passes() {
		digests := make([]byte, 0, SumBytes*chunks)
		for i := range chunks {
			part := b[i*chunk : min((i+1)*chunk, len(b))]
			digests = binary.LittleEndian.AppendUint64(digests, XXH64(part, uint64(pass)))
		}
		b = digests
	}
	return binary.LittleEndian.Uint64(b), nil
}
