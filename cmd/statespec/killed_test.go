package main

import (
	"os"
	"os/exec"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/statespec/statespec/driver/hostile"
	"github.com/statespec/statespec/spec/report"
)

// Whoever is killed cannot end what it started: the system does.
func TestADriverEndsWithACommandThatIsKilled(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("only Linux ends a process with its parent")
	}
	t.Setenv(hostile.Var, "slow to start") // and blind to the end of its input
	driver := "env -u " + commandVar + " " + report.ShellWord(os.Args[0])
	history := file(t, shortHistory)
	for _, args := range [][]string{
		{"run", "--only", "EVI-20", "--driver", driver},
		{"search", "--seed", "1", "--driver", driver},
		{"replay", history, "--driver", driver},
		{"driver", "check", driver},
	} {
		t.Run(strings.Join(args[:2], " "), func(t *testing.T) {
			cmd := exec.Command(os.Args[0], args...)
			cmd.Env = append(os.Environ(), commandVar+"=1")
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			there := func() bool { return len(leftBehind(t)) > 0 }
			if !within(30*time.Second, there) {
				t.Error("no driver was started")
			}
			if err := cmd.Process.Kill(); err != nil {
				t.Error(err)
			}
			cmd.Wait()
			if !within(20*time.Second, func() bool { return !there() }) {
				t.Errorf("processes left behind: %v", leftBehind(t))
			}
		})
	}
}
