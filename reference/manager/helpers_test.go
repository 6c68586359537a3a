package manager_test

import (
	"fmt"
	"testing"

	"github.com/statespec/statespec/reference/manager"
	"github.com/statespec/statespec/reference/tensor"
)

var (
	calls  = manager.NewAttr("call_count", 0)
	prompt = manager.NewAttr[*tensor.Tensor]("prompt_embeds", nil)
)

func newManager(tb testing.TB, maxSessions int) *manager.Manager {
	tb.Helper()
	m, err := manager.New(manager.Options{MaxSessions: maxSessions})
	if err != nil {
		tb.Fatal(err)
	}
	return m
}

func session(tb testing.TB, m *manager.Manager, id string) *manager.Session {
	tb.Helper()
	s, err := m.Session(id)
	if err != nil {
		tb.Fatal(err)
	}
	return s
}

// ids are as many as that, each another.
func ids(n int) []string {
	made := make([]string, n)
	for i := range made {
		made[i] = fmt.Sprintf("session %d", i)
	}
	return made
}
