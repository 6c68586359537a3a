package op

import (
	"os"
	"sync"
	"syscall"
	"time"
)

// TurnVar names a file on whose lock the races of several processes take turns.
// Threads of a race that wait for each other keep their processors: two races at
// once on a machine of few processors cost each other more time than they take,
// and their threads do not meet. Where the variable is unset nobody waits.
const TurnVar = "STATESPEC_RACE_TURNS"

// Of waiting for a turn: how long at most, for the process whose turn it is may
// hang, and how often is looked.
const (
	turnPatience = time.Second
	turnLook     = 100 * time.Microsecond
)

// turns is the file of the variable, nil where there is none.
var turns = sync.OnceValue(func() *os.File {
	path := os.Getenv(TurnVar)
	if path == "" {
		return nil
	}
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|syscall.O_CLOEXEC, 0o600)
	if err != nil {
		return nil // which costs time and no verdict
	}
	return f
})

// takeTurn waits for this process's turn to race, and returns how to end it.
func takeTurn() (end func()) {
	f := turns()
	if f == nil {
		return func() {}
	}
	for began := time.Now(); syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) != nil; time.Sleep(turnLook) {
		if time.Since(began) > turnPatience {
			return func() {}
		}
	}
	return func() { syscall.Flock(int(f.Fd()), syscall.LOCK_UN) }
}
