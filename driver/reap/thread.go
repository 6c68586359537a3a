package reap

import (
	"runtime"
	"sync"
)

// onThread calls a function on a thread that lives as long as this process. What Linux
// calls the death of a parent is that of the thread that started the child, and Go ends
// a thread whenever a goroutine that is locked to it returns.
func onThread(start func() error) error {
	ended := make(chan error)
	starts() <- func() { ended <- start() }
	return <-ended
}

var starts = sync.OnceValue(func() chan<- func() {
	calls := make(chan func())
	go func() {
		runtime.LockOSThread()
		for call := range calls {
			call()
		}
	}()
	return calls
})
