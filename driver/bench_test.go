package driver_test

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"testing"

	"github.com/statespec/statespec/driver"
	"github.com/statespec/statespec/driver/hostile"
	"github.com/statespec/statespec/spec"
	"github.com/statespec/statespec/spec/op"
)

// A request and its answer, through a driver in Go and one in Python, beside a line
// of as many bytes through cat.
func BenchmarkRequest(b *testing.B) {
	b.Run("cat", func(b *testing.B) {
		cat := exec.Command("cat")
		in, _ := cat.StdinPipe()
		out, _ := cat.StdoutPipe()
		if err := cat.Start(); err != nil {
			b.Fatal(err)
		}
		defer cat.Wait()
		defer in.Close()
		lines := bufio.NewReader(out)
		const line = `{"id":1,"method":"contains","params":{"on":"m1","session":"a"}}` + "\n"
		for b.Loop() {
			io.WriteString(in, line)
			if _, err := lines.ReadString('\n'); err != nil {
				b.Fatal(err)
			}
		}
	})
	for name, args := range drivers(b) {
		b.Run(name, func(b *testing.B) {
			m := asking(b, args)
			for b.Loop() {
				if _, err := m.Contains("a"); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// A trace of 10,000 operations, one request each and as a batch.
func BenchmarkTrace(b *testing.B) {
	const length = 10_000
	for name, args := range drivers(b) {
		s := opened(b, args)
		var calls []op.Call
		for i := range length {
			id := fmt.Sprint("session ", i%100)
			calls = append(calls, op.Call{Method: "contains", Params: op.Params{On: "m", Session: &id}})
		}
		if _, err := s.Ask(op.Call{Method: "new_manager", Params: op.Params{As: "m", ManagerSpec: &spec.ManagerSpec{Cap: new(64)}}}); err != nil {
			b.Fatal(err)
		}
		b.Run(name+"/one-by-one", func(b *testing.B) {
			for b.Loop() {
				for _, c := range calls {
					if _, err := s.Ask(c); err != nil {
						b.Fatal(err)
					}
				}
			}
		})
		b.Run(name+"/batch", func(b *testing.B) {
			for b.Loop() {
				if _, err := s.Ask(op.Call{Method: "batch", Params: op.Params{Calls: calls}}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// drivers are the command lines of the drivers that can be run here.
func drivers(b *testing.B) map[string][]string {
	b.Setenv(hostile.Var, hostile.Good)
	all := map[string][]string{"go": {os.Args[0]}}
	if python, err := exec.LookPath("python3"); err == nil {
		all["python"] = []string{python, "python/statespec_driver.py", "--target", "manager"}
	}
	return all
}

func opened(b *testing.B, args []string) *op.Client {
	b.Helper()
	p := driver.NewPool(driver.Command{Args: args})
	s, err := p.Open(b.Context(), spec.Process{})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		s.Close()
		p.Close()
	})
	return s
}

func asking(b *testing.B, args []string) spec.Manager {
	b.Helper()
	m, err := opened(b, args).NewManager(spec.ManagerSpec{Cap: new(1)})
	if err != nil {
		b.Fatal(err)
	}
	return m
}
