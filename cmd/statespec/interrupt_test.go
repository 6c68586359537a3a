package main

import (
	"bytes"
	"os"
	"os/exec"
	"syscall"
	"testing"
	"time"

	"github.com/statespec/statespec/spec/verdict"
)

// comparing starts a bench whose lines make artefacts, in a group of its own as a shell
// does, and returns when there are some.
func comparing(t *testing.T) (bench *exec.Cmd, said *bytes.Buffer, temp string) {
	t.Helper()
	temp, said = t.TempDir(), &bytes.Buffer{}
	bench = exec.Command(os.Args[0], "bench", "--count", "2", "--time", "1ms", "--only", "^Compare")
	bench.Env = append(os.Environ(), commandVar+"=1", "TMPDIR="+temp)
	bench.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	bench.Stderr = said
	if err := bench.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { syscall.Kill(-bench.Process.Pid, syscall.SIGKILL) })
	if !within(20*time.Second, func() bool { return len(entries(t, temp)) > 0 }) {
		t.Fatalf("no artefact in %s\n%s", temp, said)
	}
	return bench, said, temp
}

func entries(t *testing.T, folder string) []os.DirEntry {
	t.Helper()
	all, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// within waits for something to be so.
func within(limit time.Duration, so func() bool) bool {
	for began := time.Now(); time.Since(began) < limit; time.Sleep(10 * time.Millisecond) {
		if so() {
			return true
		}
	}
	return so()
}

// A terminal's Ctrl-C goes to every process of the group.
func TestAnInterruptedBenchTakesItsArtefactsAway(t *testing.T) {
	bench, said, temp := comparing(t)
	if err := syscall.Kill(-bench.Process.Pid, syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	bench.Wait()
	if code := bench.ProcessState.ExitCode(); code != int(verdict.Interrupted) || len(entries(t, temp)) > 0 {
		t.Errorf("exit %d, %v is left, want %d and nothing\n%s", code, entries(t, temp), verdict.Interrupted, said)
	}
}

func TestALineWhoseBenchIsKilledTakesItsArtefactsAway(t *testing.T) {
	bench, _, temp := comparing(t)
	bench.Process.Kill()
	bench.Wait()
	if !within(20*time.Second, func() bool { return len(entries(t, temp)) == 0 }) {
		t.Errorf("%v is left, want nothing", entries(t, temp))
	}
}
