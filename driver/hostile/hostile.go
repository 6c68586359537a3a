// Package hostile holds drivers that break the protocol, or the machine, for
// tests: the reference over the wire, which does one bad thing when it is asked
// whether a session is retained.
//
// Not here: drivers that are right on the wire and wrong in what they answer
// (package faulty).
package hostile

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"github.com/statespec/statespec/driver"
	"github.com/statespec/statespec/reference/subject"
)

// Var names, in the environment of a test binary, the driver that it is to be.
const Var = "STATESPEC_HOSTILE"

// A Driver does one bad thing.
type Driver struct {
	Name    string
	Fate    string // what the request that it is done at comes to: "crashed", "hung", "driver-error"
	Says    string // part of what the failure says
	AtStart bool   // it is done at the first request of the process

	do func(d *serving, id int64)
}

// serving is a driver at the moment that it does its bad thing.
type serving struct {
	out  *os.File
	last []byte // its last answer
}

func (d *serving) say(format string, args ...any) { fmt.Fprintf(d.out, format+"\n", args...) }

// Drivers lists all of them.
func Drivers() []Driver {
	return []Driver{
		{Name: "silent", Fate: "hung", Says: "no answer", do: func(*serving, int64) { forever() }},
		{Name: "slow to start", Fate: "hung", Says: "no answer", AtStart: true, do: func(*serving, int64) { forever() }},
		{Name: "dies at start", Fate: "crashed", Says: "exit status 3", AtStart: true, do: func(*serving, int64) {
			fmt.Fprintln(os.Stderr, "ImportError: no module named torch")
			os.Exit(3)
		}},
		{Name: "dies mid-request", Fate: "crashed", Says: "exit status 7", do: func(*serving, int64) { os.Exit(7) }},
		{Name: "is killed", Fate: "crashed", Says: "signal: killed", do: func(*serving, int64) {
			syscall.Kill(os.Getpid(), syscall.SIGKILL)
			forever()
		}},
		{Name: "answers the next request first", Fate: "driver-error", Says: "want", do: func(d *serving, id int64) {
			d.say(`{"id":%d,"result":{}}`, id+1)
			forever()
		}},
		{Name: "answers twice", Fate: "driver-error", Says: "again, or late", do: func(d *serving, id int64) {
			d.say(`{"id":%d,"result":{}}`, id)
			d.say(`{"id":%d,"result":{}}`, id)
			forever()
		}},
		{Name: "answers an earlier request", Fate: "driver-error", Says: "again, or late", do: func(d *serving, _ int64) {
			d.out.Write(d.last)
			forever()
		}},
		{Name: "answers late", Fate: "hung", Says: "no answer", do: func(d *serving, id int64) {
			time.Sleep(time.Minute)
			d.say(`{"id":%d,"result":{}}`, id)
		}},
		{Name: "answers with a wrong id", Fate: "driver-error", Says: "4711", do: func(d *serving, _ int64) { d.say(`{"id":4711,"result":{}}`) }},
		{Name: "answers without an id", Fate: "driver-error", Says: "request 0", do: func(d *serving, _ int64) { d.say(`{"result":{}}`) }},
		{Name: "answers with neither", Fate: "driver-error", Says: "neither", do: func(d *serving, id int64) { d.say(`{"id":%d}`, id) }},
		{Name: "answers with an array", Fate: "driver-error", Says: "array", do: func(d *serving, id int64) { d.say(`[%d]`, id) }},
		{Name: "never ends its line", Fate: "driver-error", Says: "a line of more than", do: func(d *serving, _ int64) {
			for block := bytes.Repeat([]byte("x"), 1<<20); ; {
				if _, err := d.out.Write(block); err != nil {
					forever()
				}
			}
		}},
		{Name: "prints megabytes of noise", Fate: "driver-error", Says: "Loading weights", do: func(d *serving, _ int64) {
			for range 200_000 {
				d.say("Loading weights: 17%%|####      | 3/18")
			}
			forever()
		}},
		{Name: "prints from native code", Fate: "driver-error", Says: "TORCH_WARN", do: func(d *serving, id int64) {
			d.say("[W] TORCH_WARN: lazy wrapper should be called at most once")
			d.say(`{"id":%d,"result":{}}`, id)
			forever()
		}},
		{Name: "answers an empty line", Fate: "driver-error", Says: "unexpected end", do: func(d *serving, _ int64) { d.say(""); forever() }},
		{Name: "is not in UTF-8", Fate: "driver-error", Says: "UTF-8", do: func(d *serving, id int64) {
			d.say(`{"id":%d,"error":{"kind":"error","message":"%s"}}`, id, "\xff\xfe")
			forever()
		}},
		{Name: "answers a number out of range", Fate: "driver-error", Says: "1e400", do: func(d *serving, id int64) {
			d.say(`{"id":%d,"result":{"int":1e400}}`, id)
			forever()
		}},
		{Name: "answers a fraction for a count", Fate: "driver-error", Says: "1.5", do: func(d *serving, id int64) {
			d.say(`{"id":%d,"result":{"int":1.5}}`, id)
			forever()
		}},
		{Name: "nests too deep", Fate: "driver-error", Says: "depth", do: func(d *serving, id int64) {
			d.say(`{"id":%d,"result":{"reading":%s}}`, id, strings.Repeat(`{"items":[`, 200_000))
			forever()
		}},
		{Name: "stops in the middle of its answer", Fate: "crashed", Says: "in the middle of an answer", do: func(d *serving, id int64) {
			fmt.Fprintf(d.out, `{"id":%d,"res`, id)
			os.Exit(0)
		}},
		{Name: "closes its output", Fate: "crashed", Says: "its output ended", do: func(d *serving, _ int64) { d.out.Close(); forever() }},
		{Name: "ignores termination", Fate: "hung", Says: "no answer", do: func(*serving, int64) {
			signal.Ignore(syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP)
			forever()
		}},
		{Name: "leaves a child in a session of its own that keeps its output open", Fate: "crashed", Says: "exit status 5", do: func(d *serving, _ int64) {
			lasting(d.out)
			os.Exit(5)
		}},
		{Name: "hangs beside a child in a session of its own", Fate: "hung", Says: "no answer", do: func(d *serving, _ int64) {
			lasting(d.out)
			forever()
		}},
		{Name: "floods standard error", Fate: "hung", Says: "[…]", do: func(*serving, int64) {
			for {
				os.Stderr.WriteString("a warning, once more\n")
			}
		}},
		{Name: "exhausts its memory", Fate: "crashed", Says: "out of memory", do: func(*serving, int64) {
			limit := syscall.Rlimit{Cur: 256 << 20, Max: 256 << 20}
			syscall.Setrlimit(syscall.RLIMIT_AS, &limit)
			for held := [][]byte{}; ; {
				held = append(held, make([]byte, 16<<20))
			}
		}},
	}
}

// lasting starts a child that outlives everybody and holds a file open.
func lasting(held *os.File) {
	cmd := exec.Command("sleep", "600")
	cmd.Stdout, cmd.Stderr = held, held
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if err := cmd.Start(); err != nil {
		fmt.Fprintln(os.Stderr, err)
	}
}

// forever never ends by itself, and is no deadlock that Go would see.
func forever() {
	for {
		time.Sleep(time.Hour)
	}
}

// ServeIfAsked turns this process into one of the drivers, and ends it, when its
// environment says so and a harness started it.
func ServeIfAsked() {
	name := os.Getenv(Var)
	if name == "" || os.Getenv(driver.IDVar) == "" {
		return
	}
	for _, d := range Drivers() {
		if d.Name == name {
			d.serve(os.Stdin, os.Stdout)
		}
	}
	if name != Good {
		fmt.Fprintf(os.Stderr, "no hostile driver is named %q\n", name)
		os.Exit(2)
	}
	driver.Main(subject.New)
}

// Good is the name of the driver that does nothing bad.
const Good = "good"

// serve answers as the reference until it is time.
func (h Driver) serve(in io.Reader, out *os.File) {
	requests, toServe := io.Pipe()
	served, answers := io.Pipe()
	go driver.Serve(subject.New, requests, answers)
	lines, back := bufio.NewScanner(in), bufio.NewReader(served)
	lines.Buffer(nil, 1<<20)
	d := &serving{out: out}
	for lines.Scan() {
		var q struct {
			ID     int64
			Method string
		}
		json.Unmarshal(lines.Bytes(), &q)
		if h.AtStart || q.Method == "contains" {
			h.do(d, q.ID)
			continue
		}
		toServe.Write(append(lines.Bytes(), '\n'))
		d.last, _ = back.ReadBytes('\n')
		out.Write(d.last)
	}
	os.Exit(0)
}
