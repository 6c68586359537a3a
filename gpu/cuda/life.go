package cuda

import "sync"

// A life counts the owners and the users of one thing that the CUDA driver made,
// and decides who gives it back: exactly one of the last owner, the last user
// after the last owner, a collection that found it unreachable, and the device
// when it closes. It takes no part in giving back, so it never waits.
type life struct {
	mu     sync.Mutex
	owners int
	users  int  // operations in flight
	taken  bool // somebody has undertaken to give it back
}

// retain adds an owner.
func (l *life) retain() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.owners == 0 {
		return ErrReleased
	}
	l.owners++
	return nil
}

// release takes an owner away. With last the caller has to give the thing back.
func (l *life) release() (last bool, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.owners == 0 {
		return false, ErrReleased
	}
	l.owners--
	return l.take(), nil
}

// use begins an operation, which keeps the thing from being given back.
func (l *life) use() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.owners == 0 {
		return ErrReleased
	}
	l.users++
	return nil
}

// done ends an operation. With last the caller has to give the thing back, since
// its last owner left meanwhile.
func (l *life) done() (last bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.users--
	return l.take()
}

// abandon ends all ownership, as of something unreachable. With last the caller
// has to give the thing back.
func (l *life) abandon() (last bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.owners = 0
	return l.take()
}

// ended reports whether somebody has undertaken to give it back.
func (l *life) ended() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.taken
}

// expire ends all ownership, as abandon does, and reports whether the thing has to
// be given back, by whomever.
func (l *life) expire() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.owners = 0
	l.take()
	return l.taken
}

// take claims what nobody owns, uses or has claimed. The lock is held.
func (l *life) take() bool {
	if l.owners > 0 || l.users > 0 || l.taken {
		return false
	}
	l.taken = true
	return true
}

// held reports whether anybody owns it.
func (l *life) held() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.owners > 0
}
