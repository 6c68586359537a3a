package driver

import "sync"

// tailLimit is how much of an output is kept, in bytes: enough for the head of a
// stack dump to be seen, which comes first.
const tailLimit = 16 << 10

// Tail keeps the beginning and the end of what is written to it.
type Tail struct {
	mu         sync.Mutex
	head, last []byte
	left       int // bytes left out between them
}

func (t *Tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	n := len(p)
	if room := tailLimit/2 - len(t.head); room > 0 {
		k := min(room, len(p))
		t.head, p = append(t.head, p[:k]...), p[k:]
	}
	t.last = append(t.last, p...)
	if over := len(t.last) - tailLimit/2; over > 0 {
		t.last = append(t.last[:0], t.last[over:]...)
		t.left += over
	}
	return n, nil
}

func (t *Tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.left == 0 {
		return string(t.head) + string(t.last)
	}
	return string(t.head) + "\n[…]\n" + string(t.last)
}
