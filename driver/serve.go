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

	"golang.org/x/sys/unix"

	"github.com/statespec/statespec/spec"
	"github.com/statespec/statespec/spec/op"
)

// maxLine bounds one message, in bytes.
const maxLine = 16 << 20

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
	err := (&server{f: f, p: p}).serve(os.NewFile(requestsFD, "requests"), os.NewFile(answersFD, "answers"))
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(0)
}

// Serve answers requests until the input ends. A subject is started in the
// environment of this process, or in what a start asks for; then the variables of
// the feature are set in this process, too.
func Serve(f spec.Factory, in io.Reader, out io.Writer) error {
	return (&server{f: f, p: spec.Process{Env: featureEnv(os.Environ())}}).serve(in, out)
}

// Main is the main function of a driver: it answers on standard input and output,
// on duplicates of them, since frameworks print there, and ends the process.
func Main(f spec.Factory) {
	in, out, err := ClaimStandard()
	if err == nil {
		err = Serve(f, in, out)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(0) // whatever still runs
}

// ClaimStandard takes descriptors 0 and 1 for requests and answers. From then on
// who reads standard input reads nothing, and what is printed goes to standard
// error.
func ClaimStandard() (in, out *os.File, err error) {
	null, err := os.Open(os.DevNull)
	if err != nil {
		return nil, nil, err
	}
	defer null.Close()
	var kept [2]int
	for fd, instead := range []int{int(null.Fd()), 2} {
		if kept[fd], err = unix.FcntlInt(uintptr(fd), unix.F_DUPFD_CLOEXEC, 3); err != nil {
			return nil, nil, fmt.Errorf("keep descriptor %d: %w", fd, err)
		}
		if err := unix.Dup2(instead, fd); err != nil {
			return nil, nil, fmt.Errorf("replace descriptor %d: %w", fd, err)
		}
	}
	return os.NewFile(uintptr(kept[0]), "requests"), os.NewFile(uintptr(kept[1]), "answers"), nil
}

// A server answers the requests of one stream.
type server struct {
	f spec.Factory
	p spec.Process

	d   *op.Dispatcher // of the subject, once one is started
	log op.Log
}

func (s *server) serve(in io.Reader, out io.Writer) error {
	s.p.Log = s.log.Add
	defer s.end()
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, maxLine)
	for lines.Scan() {
		var q op.Request
		var a op.Response
		if err := json.Unmarshal(lines.Bytes(), &q); err != nil {
			a.Error = &spec.Error{Kind: spec.Internal, Message: "the request is not understood: " + err.Error()}
		} else {
			a.Result, a.Error = s.answer(q.Call)
		}
		a.ID, a.Log = q.ID, s.log.Take()
		line, err := json.Marshal(a)
		if err != nil { // a reading that is nested too deep
			line, _ = json.Marshal(op.Response{ID: q.ID, Error: &spec.Error{Kind: spec.Internal, Message: "the answer cannot be written: " + err.Error()}})
		}
		if _, err := out.Write(append(line, '\n')); err != nil {
			return fmt.Errorf("answer request %d: %w", q.ID, err)
		}
	}
	if err := lines.Err(); err != nil && !errors.Is(err, io.EOF) {
		return fmt.Errorf("read requests: %w", err)
	}
	return nil
}

// answer begins with a subject, or has the one that there is answer.
func (s *server) answer(c op.Call) (*op.Result, *spec.Error) {
	if c.Method == "start" {
		s.end()
		s.p.Env, s.p.Threads = c.Params.Env, c.Params.Cores
		setFeature(s.p.Env)
	}
	if s.d == nil {
		subject, err := s.f(context.Background(), s.p)
		if err != nil {
			return nil, &spec.Error{Kind: spec.Internal, Type: fmt.Sprintf("%T", err), Message: "start the subject: " + err.Error()}
		}
		s.d = op.NewDispatcher(subject)
	}
	if c.Method == "start" {
		return &op.Result{}, nil
	}
	return s.d.Serve(c)
}

// end ends the subject, if there is one.
func (s *server) end() {
	if s.d != nil {
		s.d.Close()
		s.d = nil
	}
}

// setFeature gives this process the variables of the feature, and no others.
func setFeature(env map[string]string) {
	for name := range featureEnv(os.Environ()) {
		os.Unsetenv(name)
	}
	for name, value := range env {
		os.Setenv(name, value)
	}
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
