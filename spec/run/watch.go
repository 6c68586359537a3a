package run

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"syscall"
	"time"

	"github.com/statespec/statespec/driver"
	"github.com/statespec/statespec/driver/reap"
	"github.com/statespec/statespec/spec/verdict"
)

// An ending is how a worker ended.
type ending int

const (
	complete ending = iota // it said that every spec ended, or that it has no subject
	left                   // it said that another worker should go on
	died                   // in the middle of a spec, which is the culprit
	hopeless               // before any spec: another one would do the same
)

// maxEvent bounds one line of a worker's stream, in bytes.
const maxEvent = 64 << 20

// drain is how long the last events of an ended worker may take to arrive. Its
// pipe ends with it, unless a child of it holds the pipe open.
const drain = 500 * time.Millisecond

// watch is one worker being watched.
type watch struct {
	r        *collector
	done     []string // keys of ended specs
	running  *event   // the begin of the spec that runs
	began    time.Time
	starting bool   // it starts its subject
	planned  bool   // it got as far as its plan
	last     string // the event that it ended with: finished, leaving or noSubject
}

// worker runs one worker to its end.
func (w *watch) worker(ctx context.Context, task job) ending {
	cmd := w.r.command()
	output := &driver.Tail{}
	cmd.Stdout, cmd.Stderr = output, output
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.WaitDelay = time.Second // a grandchild may hold its output open
	events, lifeline, err := launch(cmd, task)
	if err != nil {
		return w.fault(fmt.Sprintf("start a worker, %s: %v", cmd.Path, err))
	}
	defer events.Close()
	defer lifeline.Close()
	exited := make(chan struct{})
	go func() {
		cmd.Wait()
		reap.Forget(cmd)
		close(exited)
	}()
	hung := w.follow(ctx, events, exited)
	// Its group goes with it, whatever it started.
	syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
	<-exited
	reap.Sweep("") // what it started outside of its group, or left behind
	return w.end(ctx, cmd, hung, output.String())
}

// launch starts a worker with a pipe for its events and one for its job. The
// latter stays open: its end tells the worker that nobody waits any more.
func launch(cmd *exec.Cmd, task job) (events io.ReadCloser, lifeline io.Closer, err error) {
	text, err := json.Marshal(task)
	if err != nil {
		return nil, nil, err
	}
	eventsOut, eventsIn, err := os.Pipe()
	if err != nil {
		return nil, nil, err
	}
	jobOut, jobIn, err := os.Pipe()
	if err != nil {
		return nil, nil, errors.Join(err, eventsOut.Close(), eventsIn.Close())
	}
	cmd.ExtraFiles = []*os.File{eventsIn, jobOut}
	err = reap.Start(cmd)
	eventsIn.Close()
	jobOut.Close()
	if err == nil {
		_, err = jobIn.Write(append(text, '\n'))
		if err != nil && !errors.Is(err, syscall.EPIPE) { // it ended before it read: its exit tells
			cmd.Process.Kill()
			cmd.Wait()
			reap.Forget(cmd)
		} else {
			err = nil
		}
	}
	if err != nil {
		return nil, nil, errors.Join(err, eventsOut.Close(), jobIn.Close())
	}
	return eventsOut, jobIn, nil
}

func (w *watch) fault(text string) ending {
	w.r.took(event{Event: fault, Text: text})
	return hopeless
}

// follow takes events until the worker ends, says that it does, or lets a spec
// outlive its limit, which it reports.
func (w *watch) follow(ctx context.Context, events io.Reader, exited <-chan struct{}) (hung bool) {
	stop := make(chan struct{})
	defer close(stop)
	lines := w.readLines(events, stop)
	limit := time.NewTimer(w.r.o.Limit)
	defer limit.Stop()
	var drained <-chan time.Time
	for {
		select {
		case line, ok := <-lines:
			if !ok || w.take(line) {
				return false
			}
			limit.Reset(w.r.o.Limit)
		case <-exited:
			exited, drained = nil, time.After(drain)
		case <-drained:
			return false
		case <-limit.C:
			return true
		case <-ctx.Done():
			return false
		}
	}
}

func (w *watch) readLines(events io.Reader, stop <-chan struct{}) <-chan []byte {
	lines := make(chan []byte)
	go func() {
		defer close(lines)
		in := bufio.NewScanner(events)
		in.Buffer(nil, maxEvent)
		for in.Scan() {
			select {
			case lines <- bytes.Clone(in.Bytes()):
			case <-stop:
				return
			}
		}
		if errors.Is(in.Err(), bufio.ErrTooLong) {
			w.fault(fmt.Sprintf("a worker wrote an event of more than %d bytes", maxEvent))
		}
	}()
	return lines
}

// take folds one line, and says whether it was the last.
func (w *watch) take(line []byte) (last bool) {
	var e event
	if err := json.Unmarshal(line, &e); err != nil {
		w.fault(fmt.Sprintf("a worker wrote %.100q for an event: %v", line, err))
		return false
	}
	switch e.Event {
	case starting:
		w.starting = true
	case begin:
		w.running, w.began = &e, time.Now()
	case ended:
		w.running = nil
		w.done = append(w.done, e.Key)
	case planned:
		w.planned = true
	case noSubject, finished, leaving:
		w.last = e.Event
	}
	w.r.took(e)
	return w.last != ""
}

// end says how the worker ended, and makes the outcome of a spec that it died
// in.
func (w *watch) end(ctx context.Context, cmd *exec.Cmd, hung bool, output string) ending {
	how := "ended (" + cmd.ProcessState.String() + ")"
	if hung {
		how = fmt.Sprintf("did nothing for %v", w.r.o.Limit)
	}
	switch {
	case w.last == leaving:
		return left
	case w.last != "":
		return complete
	case ctx.Err() != nil:
		return hopeless
	case w.running != nil:
		w.died(cmd, hung, output)
		return died
	case w.starting && !w.planned:
		w.r.took(event{Event: noSubject, Text: fmt.Sprintf("its process %s while it was being started; it had printed:\n%s", how, output)})
		return complete
	case !w.planned:
		return w.fault(fmt.Sprintf("a worker %s before it ran a spec; it had printed:\n%s", how, output))
	}
	w.fault(fmt.Sprintf("a worker %s between two specs; it had printed:\n%s", how, output))
	if hung {
		return hopeless
	}
	return died
}

// died makes the outcome of the spec that runs.
func (w *watch) died(cmd *exec.Cmd, hung bool, output string) {
	o := verdict.Outcome{Spec: w.running.Spec, Row: w.running.Row, Location: w.running.Place, Output: output, Seconds: time.Since(w.began).Seconds(),
		Outcome: verdict.Crashed, Message: fmt.Sprintf("the process of the subject ended during this spec: %s", cmd.ProcessState)}
	if hung {
		o.Outcome, o.Message = verdict.Hung, fmt.Sprintf("the spec began and did not end within %v", w.r.o.Limit)
	}
	w.done = append(w.done, w.running.Key)
	w.r.took(event{Event: ended, Key: w.running.Key, Outcome: &o})
}
