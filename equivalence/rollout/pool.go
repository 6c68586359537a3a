package rollout

import (
	"slices"
	"sync"

	"github.com/statespec/statespec/reference/dtype"
	"github.com/statespec/statespec/reference/tensor"
)

// mapSource is where the memory of feature maps comes from.
type mapSource interface {
	// next returns a map to write what follows on another, nil before the
	// seed. Its content means nothing yet.
	next(after FeatureMap) (FeatureMap, error)

	// release says that a session holds a map no more.
	release(m FeatureMap)
}

// fresh makes every map anew and leaves the old ones to the garbage collector,
// as the bespoke path does by cloning.
type fresh struct{ layout []Entry }

func (f fresh) next(after FeatureMap) (FeatureMap, error) {
	return newFeatureMap(f.layout, chunksOf(after)+1)
}

func (fresh) release(FeatureMap) {}

// chunksOf is after how many chunks a map is as it is; two stands for all from
// the second on.
func chunksOf(m FeatureMap) int {
	if m == nil {
		return 0
	}
	return m[entryStem].Dim(2)
}

// A pool keeps whole sets of storages and hands them out again: a session's
// next map is written to a set that is spare, assigned wholesale, and the set
// before it comes back. So n sessions need n+1 sets, and a map that somebody
// still reads when its set is given to another would show.
type pool struct {
	layout []Entry

	mu    sync.Mutex
	spare [][]*tensor.Storage
	lent  map[*tensor.Storage][]*tensor.Storage // by the first of a set
	made  int
}

func newPool(layout []Entry) *pool {
	return &pool{layout: layout, lent: map[*tensor.Storage][]*tensor.Storage{}}
}

func (p *pool) next(after FeatureMap) (FeatureMap, error) {
	set, chunks := p.take(), chunksOf(after)+1
	m := make(FeatureMap, len(set))
	for i, e := range p.layout {
		shape := e.Shape(e.FramesAfter(chunks))
		strides := []int{shape[1] * shape[2] * shape[3] * shape[4], shape[2] * shape[3] * shape[4], shape[3] * shape[4], shape[4], 1}
		var err error
		if m[i], err = tensor.Of(set[i], dtype.BFloat16, shape, strides, 0); err != nil {
			return nil, err
		}
	}
	return m, nil
}

// take lends a set, one that is spare or a new one.
func (p *pool) take() []*tensor.Storage {
	p.mu.Lock()
	defer p.mu.Unlock()
	var set []*tensor.Storage
	if n := len(p.spare); n > 0 {
		set, p.spare = p.spare[n-1], p.spare[:n-1]
	} else {
		for _, e := range p.layout {
			set = append(set, tensor.NewStorage(e.Bytes(e.Frames)))
		}
		p.made++
	}
	p.lent[set[0]] = set
	return set
}

// release takes a set back. A map that is not lent, or was taken back already,
// is left alone.
func (p *pool) release(m FeatureMap) {
	if m == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	first := m[0].Storage()
	if set, lent := p.lent[first]; lent {
		delete(p.lent, first)
		p.spare = slices.Insert(p.spare, 0, set)
	}
}
