//go:build cuda

package cuda

import (
	"errors"
	"fmt"

	"gorgonia.org/cu"

	"github.com/statespec/statespec/reference/fault"
	"github.com/statespec/statespec/reference/tensor"
)

// CopyFrom copies n bytes within the device and is complete when it returns. The
// ranges may overlap, as those of copy may. Memory of another device, or of another
// Device of the same ordinal, is refused: read it into host memory, and write that.
func (m *Memory) CopyFrom(offset int, src tensor.Memory, from, n int) error {
	return m.copyOn(nil, true, offset, src, from, n)
}

// CopyOn is CopyFrom queued on a stream. It returns before the copy is done, unless
// the ranges overlap at so small a distance that the move needs a buffer.
func (m *Memory) CopyOn(s *Stream, offset int, src tensor.Memory, from, n int) error {
	return m.copyOn(s, false, offset, src, from, n)
}

func (m *Memory) copyOn(s *Stream, wait bool, offset int, src tensor.Memory, from, n int) (err error) {
	operation := func() string { return fmt.Sprintf("copy %d bytes from %d to %d", n, from, offset) }
	source, err := m.source(operation, src)
	if err != nil {
		return err
	}
	if err := source.within(operation, from, n); err != nil {
		return err
	}
	if err := m.within(operation, offset, n); err != nil {
		return err
	}
	queue, err := m.d.queue(operation, s)
	if err != nil {
		return err
	}
	plan, direct := []piece{{offset, from, n}}, true
	if source == m {
		plan, direct = pieces(offset, from, n)
	}
	var buffer *Memory
	if !direct {
		// The buffer is made before the first byte moves: without room nothing does.
		size := min(n, maxBuffer)
		if buffer, err = m.d.allocate(size); err != nil {
			return err
		}
		defer func() { err = errors.Join(err, buffer.Release()) }()
		plan, wait = split(offset, from, n, size), true
	}
	return m.d.using(operation, func() error {
		if err := m.move(source, plan, buffer, queue.stream); err != nil || !wait {
			return err
		}
		return queue.stream.Synchronize()
	}, append(queue.resources(), m.resource, source.resource)...)
}

// maxBuffer bounds the bytes of device memory that a move at a small distance
// takes for its time.
const maxBuffer = 16 << 20

// move queues the copies of a plan, through a buffer if there is one.
func (m *Memory) move(source *Memory, plan []piece, buffer *Memory, stream cu.Stream) error {
	for _, p := range plan {
		if p.n == 0 {
			continue
		}
		to, from := m.address+cu.DevicePtr(p.to), source.address+cu.DevicePtr(p.from)
		if buffer != nil {
			if err := cu.MemcpyDtoDAsync(buffer.address, from, int64(p.n), stream); err != nil {
				return err
			}
			from = buffer.address
		}
		if err := cu.MemcpyDtoDAsync(to, from, int64(p.n), stream); err != nil {
			return err
		}
	}
	return nil
}

// source is the memory to copy from, if this device can reach it.
func (m *Memory) source(operation func() string, src tensor.Memory) (*Memory, error) {
	source, ok := src.(*Memory)
	switch {
	case !ok || source == nil:
		return nil, fault.New(fault.ErrInvalidArgument, "%s: %s: the source is a %T: it must be memory that this package allocated", m.d.device, operation(), src)
	case source.d != m.d:
		return nil, fault.New(fault.ErrInvalidArgument, "%s: %s: the source lies in another context, on %s: read it into host memory and write that",
			m.d.device, operation(), source.d.device)
	}
	return source, nil
}
