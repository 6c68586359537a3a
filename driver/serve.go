package driver

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"syscall"

	"github.com/statespec/statespec/spec"
	"github.com/statespec/statespec/spec/op"
)

// maxLine bounds one message, in bytes.
const maxLine = 64 << 20

// ServeVar asks a binary that calls [ServeIfAsked] to be a driver.
const ServeVar = "STATESPEC_SERVE"

// ServeIfAsked turns this process into a driver, and ends it, when [Open]
// started it for a fresh process. A binary calls it before anything else.
func ServeIfAsked(f spec.Factory) {
	if os.Getenv(ServeVar) == "" {
		return
	}
	p := spec.Process{Env: featureEnv(os.Environ()), Threads: threads()}
	for _, name := range []string{ServeVar, threadsVar} { // not for what the subject starts
		os.Unsetenv(name)
	}
	for _, fd := range []int{requestsFD, answersFD} {
		syscall.CloseOnExec(fd)
	}
	err := serve(context.Background(), f, p, os.NewFile(requestsFD, "requests"), os.NewFile(answersFD, "answers"))
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(0)
}

// Serve answers requests until the input ends. The subject is started in the
// environment of this process.
func Serve(ctx context.Context, f spec.Factory, in io.Reader, out io.Writer) error {
	return serve(ctx, f, spec.Process{Env: featureEnv(os.Environ())}, in, out)
}

func serve(ctx context.Context, f spec.Factory, p spec.Process, in io.Reader, out io.Writer) error {
	log := &op.Log{}
	p.Log = log.Add
	s, err := f(ctx, p)
	if err != nil {
		return fmt.Errorf("start the subject: %w", err)
	}
	defer s.Close()
	d := op.NewDispatcher(s)
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, maxLine)
	enc := json.NewEncoder(out)
	for lines.Scan() {
		var q op.Request
		var a op.Response
		if err := json.Unmarshal(lines.Bytes(), &q); err != nil {
			a.Error = &spec.Error{Kind: spec.Internal, Message: "the request is not understood: " + err.Error()}
		} else {
			a.Result, a.Error = d.Serve(q.Call)
		}
		a.ID, a.Log = q.ID, log.Take()
		if err := enc.Encode(a); err != nil {
			return fmt.Errorf("answer request %d: %w", q.ID, err)
		}
	}
	if err := lines.Err(); err != nil && !errors.Is(err, io.EOF) {
		return fmt.Errorf("read requests: %w", err)
	}
	return nil
}

// featureEnv is the variables of the feature in an environment.
func featureEnv(environ []string) map[string]string {
	env := map[string]string{}
	for _, kv := range environ {
		if k, v, _ := strings.Cut(kv, "="); isFeature(k) {
			env[k] = v
		}
	}
	return env
}

// isFeature says whether a variable belongs to the feature: those that the
// document names, and whatever an implementation adds to their prefix.
func isFeature(name string) bool { return strings.HasPrefix(name, spec.EnableVar) }
