package report_test

import (
	"os/exec"
	"testing"

	"github.com/statespec/statespec/spec/report"
)

func TestAShellTakesAWordForTheTextThatItIs(t *testing.T) {
	for _, text := range []string{"found/EVI-02.history", "", "is on by default", "reads a map's keys as texts", "$HOME `x` \"y\" \\z!*", "a\nb", "é"} {
		got, err := exec.Command("sh", "-c", "printf %s "+report.ShellWord(text)).Output()
		if err != nil || string(got) != text {
			t.Errorf("a shell takes %s for %q, %v, want %q", report.ShellWord(text), got, err, text)
		}
	}
	if got := report.ShellWord("found/EVI-02.history"); got != "found/EVI-02.history" {
		t.Errorf("ShellWord of a plain path = %s, want it as it is", got)
	}
}
