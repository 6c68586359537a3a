package tensor

// What costs less than one call of a device's driver, in bytes: blocks below
// it are gathered on the host when there are many.
const (
	smallBlock = 64 << 10
	manyBlocks = 64
)

// copyOnDevice copies between views of the same shape and dtype of which at
// least one is in a device's memory. Elements that lie together on both sides
// are copied by the device, block by block; many small blocks pass through the
// host, where strides cost nothing.
func copyOnDevice(dst, src *Tensor) error {
	size := src.dt.Size()
	outer, together := split(dst.shape, min(dst.run(0), src.run(0)))
	blocks := dst.n / together
	if !src.st.Addressable() && !dst.st.Addressable() && src.Device() != dst.Device() ||
		blocks > manyBlocks && together*size < smallBlock {
		return copyThroughHost(dst, src)
	}
	p := blockPassage{dst: dst.st, src: src.st, together: together * size, size: size,
		shape: dst.shape[:outer], dstep: dst.strides, step: src.strides}
	return p.walk(0, dst.offset*size, src.offset*size)
}

// copyThroughHost reads what src spans, copies on the host, and writes what
// dst spans. What lies between the elements of a dst with gaps is written back
// as it was read: nobody else may write there meanwhile.
func copyThroughHost(dst, src *Tensor) error {
	from, err := src.staged()
	if err != nil {
		return err
	}
	if dst.st.Addressable() {
		copyOnHost(dst, from)
		return nil
	}
	to, err := dst.staged()
	if err != nil {
		return err
	}
	copyOnHost(to, from)
	return dst.st.Memory().WriteAt(to.st.Bytes(), dst.offset*dst.dt.Size())
}

// staged is the view over a copy on the host of what it spans, not of its
// whole storage; a view that the host addresses is its own. It is not empty.
func (t *Tensor) staged() (*Tensor, error) {
	if t.st.Addressable() {
		return t, nil
	}
	size := t.dt.Size()
	end, _ := reach(t.shape, t.strides, t.offset)
	h := t.view()
	h.st, h.offset = NewStorage((end-t.offset)*size), 0
	return h, t.st.Memory().ReadAt(h.st.Bytes(), t.offset*size)
}

// A blockPassage is a passage of which the device copies each block.
type blockPassage struct {
	dst, src           *Storage
	size               int   // bytes of an element
	together           int   // bytes of a block
	shape, dstep, step []int // of the axes outside the block; steps in elements
}

// walk copies everything from an axis inward. Positions are in bytes.
func (p *blockPassage) walk(axis, to, from int) error {
	if axis == len(p.shape) {
		return p.block(to, from)
	}
	for range p.shape[axis] {
		if err := p.walk(axis+1, to, from); err != nil {
			return err
		}
		to, from = to+p.dstep[axis]*p.size, from+p.step[axis]*p.size
	}
	return nil
}

func (p *blockPassage) block(to, from int) error {
	n := p.together
	src, dst := p.src.at.Load(), p.dst.at.Load()
	switch {
	case dst.bytes != nil:
		return src.memory.ReadAt(dst.bytes[to:to+n], from)
	case src.bytes != nil:
		return dst.memory.WriteAt(src.bytes[from:from+n], to)
	default:
		return dst.memory.CopyFrom(to, src.memory, from, n)
	}
}
