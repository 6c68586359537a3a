package ab_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/statespec/statespec/equivalence/ab"
)

// options are of an A/B of the model that does something.
func options(t *testing.T, does string) ab.Options {
	t.Helper()
	dir := t.TempDir()
	runs := filepath.Join(dir, "runs")
	if err := os.Mkdir(runs, 0o755); err != nil {
		t.Fatal(err)
	}
	command := []string{os.Args[0]}
	return ab.Options{
		A: command, B: command, Var: switchVar, Values: [2]string{"0", "1"}, Env: []string{modelVar + "=" + does},
		Environ: append(os.Environ(), "GORACE=atexit_sleep_ms=0"), // else each run of -race waits a second
		Repeat:  1, Timeout: time.Minute, Out: filepath.Join(dir, "out"), Runs: runs,
	}
}

func answer(t *testing.T, o ab.Options) *ab.Result {
	t.Helper()
	r, err := ab.Ask(context.Background(), o)
	if err != nil {
		t.Fatalf("Ask() = error %v", err)
	}
	return r
}

func TestEveryAnswerHasAProgramThatGetsIt(t *testing.T) {
	pattern := regexp.MustCompile(`path: (\w+)`)
	notAProgram := filepath.Join(t.TempDir(), "text")
	if err := os.WriteFile(notAProgram, []byte("text"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		does    string
		want    ab.Word
		why     string // in the reasons
		options func(o *ab.Options)
	}{
		{does: "nothing else", want: ab.Equal},
		{does: "writes where it is", want: ab.Equal},
		{does: "nothing else", want: ab.Equal, options: func(o *ab.Options) { o.Repeat = 3 }},
		{does: "tells its log", want: ab.Equal, options: func(o *ab.Options) { o.Witness = pattern }},
		{does: "leaves a child behind", want: ab.Equal},
		{does: "diverges", want: ab.Divergent, why: "2-action.npy, at [2] (1 of 3 elements differ); the last equal one before it is 1-state.npy"},
		{does: "is random", want: ab.Nondeterministic, why: "runs 1 and 3, both A, differ: 2-action.npy"},
		{does: "is random on B", want: ab.Divergent},
		{does: "is random on B", want: ab.Nondeterministic, why: "runs 2 and 4, both B", options: func(o *ab.Options) { o.Repeat = 2 }},
		{does: "never switches", want: ab.Unwitnessed, why: `every run says that it took the path "bespoke": ` + switchVar + " never acted"},
		{does: "tells nothing", want: ab.Unwitnessed, why: "run 1 (A): it left no witness.json"},
		{does: "tells nonsense", want: ab.Unwitnessed, why: `want {"path": "…"}`},
		{does: "tells its log", want: ab.Unwitnessed, why: "no line of its log matches nonsense", options: func(o *ab.Options) { o.Witness = regexp.MustCompile("nonsense") }},
		{does: "switches within a run", want: ab.Unwitnessed, why: `every run says that it took the path "bespoke, managed"`, options: func(o *ab.Options) { o.Witness = pattern }},
		{does: "reads another config on B", want: ab.Drifted, why: `program: config: "false" in run 1, "true" in run 2`},
		{does: "fails on B", want: ab.Drifted, why: "the exit codes differ"},
		{does: "fills a cache", want: ab.Drifted, why: "cache "},
		{does: "fails", want: ab.Failed, why: "exit status 3; its last words:\nno such checkpoint"},
		{does: "hangs", want: ab.Failed, why: "it was ended after 300ms, its time limit", options: func(o *ab.Options) { o.Timeout = 300 * time.Millisecond }},
		{does: "leaves nothing", want: ab.Failed, why: "left nothing in the folder that $STATESPEC_OUT names"},
		{does: "leaves a broken array", want: ab.Failed, why: "runs 1 and 2 cannot be compared: run 1 (A)/3-broken.npy: npy: "},
		{does: "leaves a named pipe", want: ab.Failed, why: "run 1 (A): it left what cannot be judged: run 1 (A)/3-pipe.npy: no regular file"},
		{does: "witnesses by a named pipe", want: ab.Failed, why: "run 1 (A)/witness.json: no regular file"},
		{does: "orders by a named pipe", want: ab.Failed, why: "run 1 (A)/manifest.json: no regular file"},
		{does: "removes its folder", want: ab.Failed, why: "run 1 (A): it removed the folder that $STATESPEC_OUT names"},
		{does: "puts a file in place of its folder", want: ab.Failed, why: "run 1 (A): it put something else in the place of the folder"},
		{does: "nothing else", want: ab.Failed, why: `glob "*.md" names no file`, options: func(o *ab.Options) { o.Compare.Bytes = []string{"*.md"} }},
		{does: "writes text", want: ab.Failed, why: "no artefact that can be judged"},
		{does: "nothing else", want: ab.Failed, why: "it could not be started", options: func(o *ab.Options) { o.A = []string{notAProgram}; o.B = o.A }},
	} {
		t.Run(fmt.Sprintf("a program that %s is %s", c.does, c.want), func(t *testing.T) {
			o := options(t, c.does)
			if c.does == "fills a cache" {
				cache := t.TempDir()
				o.Env, o.Caches = append(o.Env, cacheVar+"="+cache), []string{cache}
			}
			if c.options != nil {
				c.options(&o)
			}
			r := answer(t, o)
			if why := strings.Join(r.Why, "\n"); r.Answer != c.want || !strings.Contains(why, c.why) {
				t.Errorf("answer = %s, because %s; want %s, because %s", r.Answer, why, c.want, c.why)
			}
			if (r.Answer == ab.Equal) != (r.Answer.Exit() == 0) {
				t.Errorf("%s has exit code %d", r.Answer, r.Answer.Exit())
			}
			if _, err := os.Stat(o.Out); err == nil {
				t.Errorf("%s is left, want it moved aside", o.Out)
			}
		})
	}
}

func TestWhatCannotBeJudgedIsNamedByWhereItIsKept(t *testing.T) {
	o := options(t, "leaves a broken array")
	o.Kept = "/nightly/runs"
	if r := answer(t, o); len(r.Why) != 1 || !strings.Contains(r.Why[0], "/nightly/runs/1-A/out/3-broken.npy: npy: ") {
		t.Errorf("A/B of a broken array = %s %q, want a path of what is kept", r.Answer, r.Why)
	}
	o = options(t, "nothing else")
	o.Kept = "/nightly/runs"
	if p := answer(t, o).Paths(); p.A != "/nightly/runs/1-A/out" || p.B != "/nightly/runs/2-B/out" {
		t.Errorf("compared were %s and %s, want paths of what is kept", p.A, p.B)
	}
}

func TestAFolderThatAProgramLocksIsUnlocked(t *testing.T) {
	o := options(t, "locks its folder")
	r := answer(t, o)
	info, err := os.Stat(filepath.Join(o.Runs, "1-A", "out"))
	if r.Answer != ab.Equal || err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("A/B of a program that locks its folder = %s %q, the folder %v, %v", r.Answer, r.Why, info, err)
	}
}

func TestAChildThatARunLeavesBehindIsEnded(t *testing.T) {
	for _, does := range []string{"leaves a child behind", "leaves a session behind", "hangs with a session"} {
		if does != "leaves a child behind" && runtime.GOOS != "linux" {
			continue // elsewhere nothing reaches another session
		}
		o := options(t, does)
		if does == "hangs with a session" {
			o.Timeout = 3 * time.Second
		}
		answer(t, o)
		t.Run(does, func(t *testing.T) { childIsEnded(t, o) })
	}
}

func childIsEnded(t *testing.T, o ab.Options) {
	text, err := os.ReadFile(filepath.Join(filepath.Dir(o.Out), "child"))
	if err != nil {
		t.Fatal(err)
	}
	pid, err := strconv.Atoi(string(text))
	if err != nil {
		t.Fatal(err)
	}
	// It has been killed with its group; its parent may yet have to hear of it.
	for range 100 {
		state, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
		if os.IsNotExist(err) || strings.Contains(string(state), ") Z ") || syscall.Kill(pid, 0) == syscall.ESRCH {
			return
		}
		select {
		case <-time.After(10 * time.Millisecond):
		case <-t.Context().Done():
		}
	}
	t.Errorf("process %d, a child of the last run, still runs", pid)
}

func TestAnInterruptedABSaysHowFarItCame(t *testing.T) {
	o := options(t, "hangs")
	ctx, cancel := context.WithCancel(context.Background())
	o.Say = func(string) { cancel() }
	r, err := ab.Ask(ctx, o)
	if err != nil || r.Answer != ab.Interrupted || r.Answer.Exit() != 130 || strings.Join(r.Why, "") != "stopped after 0 of 3 runs" {
		t.Errorf("Ask() = %s, %q, %v; want interrupted after 0 of 3 runs", r.Answer, r.Why, err)
	}
}

func TestOptionsThatCouldGiveNoAnswerAreRefused(t *testing.T) {
	for want, change := range map[string]func(o *ab.Options){
		"no command": func(o *ab.Options) { o.A = nil },
		`side B cannot be started: exec: "no-such-program"`: func(o *ab.Options) { o.B = []string{"no-such-program"} },
		`side A cannot be started: exec: "/etc"`:            func(o *ab.Options) { o.A = []string{"/etc"} },
		`glob "[": syntax error`:                            func(o *ab.Options) { o.Compare.Bytes = []string{"["} },
		"repeat 0: want at least 1":                         func(o *ab.Options) { o.Repeat = 0 },
		"repeat 1001: want at least 1 and at most 1000":     func(o *ab.Options) { o.Repeat = ab.MaxRepeat + 1 },
		"both sides are the same command":                   func(o *ab.Options) { o.Var = "" },
		`is "1" on both sides: want two`:                    func(o *ab.Options) { o.Values = [2]string{"1", "1"} },
		`environment "X": want NAME=VALUE`:                  func(o *ab.Options) { o.Env = []string{"X"} },
		"it is the variable that differs":                   func(o *ab.Options) { o.Env = []string{switchVar + "=1"} },
		`variable "STATESPEC_OUT": every run is given`:      func(o *ab.Options) { o.Var = ab.OutVar },
		"every run is given a folder of ours":               func(o *ab.Options) { o.Env = []string{ab.OutVar + "=/tmp"} },
		"timeout -1s: want a positive":                      func(o *ab.Options) { o.Timeout = -time.Second },
		`variable "A=B": want a name`:                       func(o *ab.Options) { o.Var = "A=B" },
	} {
		o := options(t, "nothing else")
		change(&o)
		if _, err := ab.Ask(context.Background(), o); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Ask() = error %v, want one that says %q", err, want)
		}
	}
}

func TestTheRunsOfAnEarlierABStandForTheirSide(t *testing.T) {
	first := options(t, "nothing else")
	before := answer(t, first)
	reused, err := ab.Load(first.Runs)
	if err != nil || len(reused) != 3 {
		t.Fatalf("Load() = %d runs, %v; want 3", len(reused), err)
	}
	onlyA := []ab.Run{reused[0], reused[2]}
	again := options(t, "nothing else")
	again.Reuse, again.Out = onlyA, first.Out
	r := answer(t, again)
	if r.Answer != ab.Equal || !r.Runs[0].Began.Equal(before.Runs[0].Began) || r.Runs[1].Began.Equal(before.Runs[1].Began) {
		t.Errorf("A/B with both runs of A from before = %s %q, began %v, %v", r.Answer, r.Why, r.Runs[0].Began, r.Runs[1].Began)
	}
	changed := options(t, "nothing else")
	changed.Reuse, changed.Out, changed.Environ = onlyA, first.Out, append(changed.Environ, "LANG=de_AT.UTF-8")
	if r := answer(t, changed); r.Answer != ab.Drifted || !strings.Contains(strings.Join(r.Why, ""), "LANG") {
		t.Errorf("A/B with runs of another environment = %s %q, want drifted", r.Answer, r.Why)
	}
	typed := options(t, "nothing else")
	typed.Reuse, typed.Out, typed.Environ = onlyA, first.Out, append(typed.Environ, "_=/bin/time", "SHLVL=7", "OLDPWD=/", "PWD=/")
	if r := answer(t, typed); r.Answer != ab.Equal {
		t.Errorf("A/B with runs that another shell started = %s %q, want equal", r.Answer, r.Why)
	}
	elsewhere := options(t, "nothing else")
	elsewhere.Reuse = onlyA
	if r := answer(t, elsewhere); r.Answer != ab.Drifted || !strings.Contains(strings.Join(r.Why, ""), ab.OutVar) {
		t.Errorf("A/B with runs that wrote elsewhere = %s %q, want drifted", r.Answer, r.Why)
	}
	moved := options(t, "nothing else")
	moved.Reuse, moved.Out = onlyA, first.Out
	t.Chdir(t.TempDir())
	if r := answer(t, moved); r.Answer != ab.Drifted || !strings.Contains(strings.Join(r.Why, ""), "folder: ") {
		t.Errorf("A/B with runs in another folder = %s %q, want drifted", r.Answer, r.Why)
	}
}

func TestAnEarlierRunStandsOnlyForWhatItWasAskedFor(t *testing.T) {
	script := filepath.Join(t.TempDir(), "script")
	write(script, []byte("one"))
	asked := func(t *testing.T) ab.Options {
		o := options(t, "nothing else")
		o.A, o.Env = []string{os.Args[0], script}, append(o.Env, "FOO=1")
		o.B = o.A
		return o
	}
	first := asked(t)
	answer(t, first)
	earlier, err := ab.Load(first.Runs)
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		change func(o *ab.Options)
		taken  int
		none   string // what the error says of none
	}{
		"the same":          {func(*ab.Options) {}, 3, ""},
		"more of the same":  {func(o *ab.Options) { o.Repeat = 2 }, 3, ""},
		"set in two steps":  {func(o *ab.Options) { o.Env = append([]string{"FOO=2"}, o.Env...) }, 3, ""},
		"the sides swapped": {func(o *ab.Options) { o.Values = [2]string{"1", "0"} }, 2, ""},
		"another B":         {func(o *ab.Options) { o.B = append(o.B, "x") }, 2, ""},
		"another value":     {func(o *ab.Options) { o.Values[1] = "yes" }, 2, ""},
		"another command":   {func(o *ab.Options) { o.A = append(o.A, "x"); o.B = o.A }, 0, "command: "},
		"another variable":  {func(o *ab.Options) { o.Var = "OTHER" }, 0, `variable: "AB_TEST_SWITCH" then, "OTHER" now`},
		"two other values":  {func(o *ab.Options) { o.Values = [2]string{"x", "y"} }, 0, `AB_TEST_SWITCH: "0" then, "x" now; AB_TEST_SWITCH: "1" then, "y" now`},
		"another setting":   {func(o *ab.Options) { o.Env = append(o.Env, "FOO=bar") }, 0, `FOO on both sides: "1" then, "bar" now`},
		"a setting more":    {func(o *ab.Options) { o.Env = append(o.Env, "BAR=1") }, 0, `BAR on both sides: nothing then, "1" now`},
		"a setting less":    {func(o *ab.Options) { o.Env = o.Env[:1] }, 0, `FOO on both sides: "1" then, nothing now`},
		"another script":    {func(*ab.Options) { write(script, []byte("two")) }, 0, "file " + script},
		"runs that failed": {func(o *ab.Options) {
			o.Reuse = slices.Clone(o.Reuse)
			for i := range o.Reuse {
				o.Reuse[i].Exit = 3
			}
		}, 0, "run 1 did not end well; run 2"},
	} {
		t.Run(name, func(t *testing.T) {
			write(script, []byte("one"))
			o := asked(t)
			o.Reuse = earlier
			c.change(&o)
			fit, err := o.Fitting()
			if len(fit) != c.taken || (err == nil) != (c.taken > 0) {
				t.Errorf("Fitting() = %d runs, %v; want %d", len(fit), err, c.taken)
			}
			if checked := o.Check(); err != nil && (checked == nil || !strings.Contains(checked.Error(), c.none)) {
				t.Errorf("Check() = %v, want %q", checked, c.none)
			}
		})
	}
}

func TestTheRunsThatWereTakenAreKeptAndCanBeTakenAgain(t *testing.T) {
	first := options(t, "tells its log")
	answer(t, first)
	second := options(t, "tells its log")
	second.Out, second.KeepReused, second.Witness = first.Out, true, regexp.MustCompile(`path: (\w+)`)
	var err error
	if second.Reuse, err = ab.Load(first.Runs); err != nil {
		t.Fatal(err)
	}
	if r := answer(t, second); r.Answer != ab.Equal {
		t.Errorf("runs whose path is asked for elsewhere = %s %q, want equal", r.Answer, r.Why)
	}
	if err := os.RemoveAll(first.Runs); err != nil {
		t.Fatal(err)
	}
	kept, err := ab.Load(second.Runs)
	if err != nil || len(kept) != 3 || kept[1].Witness != "managed" || kept[2].Number != 3 {
		t.Fatalf("kept are %+v, %v; want three runs with their paths", kept, err)
	}
	third := options(t, "tells its log")
	third.Out, third.Witness, third.Reuse = first.Out, second.Witness, kept
	if r := answer(t, third); r.Answer != ab.Equal || !r.Runs[0].Began.Equal(kept[0].Began) {
		t.Errorf("runs taken a second time = %s %q, want equal", r.Answer, r.Why)
	}
}

func TestRunsFromAnotherFileSystemAreCopied(t *testing.T) {
	other, err := os.MkdirTemp("/dev/shm", "ab-test-")
	if err != nil {
		t.Skip("no file system in memory here: ", err)
	}
	defer os.RemoveAll(other)
	first, second := options(t, "nothing else"), options(t, "nothing else")
	answer(t, first)
	second.Out, second.Runs, second.KeepReused = first.Out, other, true
	if second.Reuse, err = ab.Load(first.Runs); err != nil {
		t.Fatal(err)
	}
	if r := answer(t, second); r.Answer != ab.Equal {
		t.Errorf("runs that were copied = %s %q, want equal", r.Answer, r.Why)
	}
	for _, name := range []string{"1-A/log.txt", "2-B/out/2-action.npy"} {
		was, err := os.ReadFile(filepath.Join(first.Runs, name))
		is, errIs := os.ReadFile(filepath.Join(other, name))
		if err != nil || errIs != nil || !bytes.Equal(was, is) {
			t.Errorf("%s is %q, %v, copied %q, %v", name, was, err, is, errIs)
		}
	}
}

func TestAFolderWithoutRunsCannotBeReused(t *testing.T) {
	if _, err := ab.Load(t.TempDir()); err == nil || !strings.Contains(err.Error(), "no run in it") {
		t.Errorf("Load() = error %v, want one that says what is missing", err)
	}
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, "1-A"), 0o755); err != nil {
		t.Fatal(err)
	}
	write(filepath.Join(dir, "1-A", ab.RunFile), []byte(`{"side": "C"}`))
	if _, err := ab.Load(dir); err == nil || !strings.Contains(err.Error(), "want A or B") {
		t.Errorf("Load() = error %v, want one that says what is wrong", err)
	}
}

func TestTwoBuildsAreComparedWithoutAVariable(t *testing.T) {
	o := options(t, "nothing else")
	o.Var, o.Values = "", [2]string{}
	o.B = append(o.B[:1:1], "-v")
	if r := answer(t, o); r.Answer != ab.Equal {
		t.Errorf("two commands that write the same = %s %q, want equal", r.Answer, r.Why)
	}
	o = options(t, "is random")
	o.Var, o.Values = "", [2]string{}
	o.B = append(o.B[:1:1], "-v")
	if r := answer(t, o); r.Answer != ab.Nondeterministic {
		t.Errorf("two random commands = %s %q, want nondeterministic", r.Answer, r.Why)
	}
}

func TestEveryReportTellsTheAnswerAndTheRuns(t *testing.T) {
	r := answer(t, options(t, "diverges"))
	var text, markdown, html, asJSON bytes.Buffer
	for _, err := range []error{r.Text(&text, false), r.Markdown(&markdown), r.HTML(&html), r.JSON(&asJSON)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	for name, b := range map[string]string{"text": text.String(), "markdown": markdown.String(), "html": html.String()} {
		for _, want := range []string{"divergent", "bespoke", "managed", switchVar, "2-action.npy"} {
			if !strings.Contains(b, want) {
				t.Errorf("the %s report has no %q:\n%s", name, want, b)
			}
		}
	}
	var doc struct {
		Schema      int
		Answer      string
		Comparisons []struct{ Report struct{ Equal bool } }
	}
	if err := json.Unmarshal(asJSON.Bytes(), &doc); err != nil || doc.Schema != ab.Schema || doc.Answer != "divergent" || len(doc.Comparisons) != 2 {
		t.Errorf("ab.json = %+v, %v; want schema %d, divergent, two comparisons", doc, err, ab.Schema)
	}
}

func TestNoReportCarriesOutWhatAProgramPrints(t *testing.T) {
	for _, change := range []func(o *ab.Options){
		func(o *ab.Options) {
			o.A, o.Env = []string{os.Args[0], "\x1b[31m"}, []string{modelVar + "=fails in colour"}
		},
		func(o *ab.Options) { o.Values[1] = "\x1b[31m\n" },
		func(o *ab.Options) { o.Env = []string{modelVar + "=witnesses in colour"} },
	} {
		o := options(t, "nothing else")
		change(&o)
		o.B = o.A
		var said, text bytes.Buffer
		o.Say = func(line string) { said.WriteString(line + "|\n") }
		if err := answer(t, o).Text(&text, false); err != nil {
			t.Fatal(err)
		}
		if all := said.String() + text.String(); strings.Contains(all, "\x1b") || !strings.Contains(all, "\u241b[31m") {
			t.Errorf("it says\n%q\nwant the escape sequence as a picture", all)
		}
		if strings.Count(said.String(), "\n") != strings.Count(said.String(), "|\n") {
			t.Errorf("it says\n%q\nwant whole lines", said.String())
		}
	}
}

func TestTheMemoryOfBothPathsIsDrawnWhereItDiffers(t *testing.T) {
	for does, want := range map[string][]string{
		"tells its memory":             {"total: bytes held after each step"},
		"tells nonsense of its memory": {},
		"nothing else":                 {},
	} {
		r := answer(t, options(t, does))
		pictures, err := r.Curves()
		if r.Answer != ab.Equal || err != nil || len(pictures) != len(want) {
			t.Fatalf("a program that %s: %s, %d pictures, %v; want equal and %d", does, r.Answer, len(pictures), err, len(want))
		}
		for i, title := range want {
			if !strings.Contains(string(pictures[i]), title) {
				t.Errorf("picture %d of a program that %s has no title %q:\n%s", i, does, title, pictures[i])
			}
		}
	}
}
