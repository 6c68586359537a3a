package run_test

import (
	"context"
	"os"
	"os/exec"
	"runtime/debug"
	"strings"
	"testing"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/statespec/statespec/driver"
	"github.com/statespec/statespec/spec"
	"github.com/statespec/statespec/spec/catalogue"
	"github.com/statespec/statespec/spec/run"
	. "github.com/statespec/statespec/spec/suite"
	"github.com/statespec/statespec/spec/verdict"
)

// trapVar names the trap that a worker of these tests runs into.
const trapVar = "STATESPEC_TRAP"

func TestMain(m *testing.M) {
	if trap := os.Getenv(trapVar); trap != "" {
		if trap == "focus" {
			FIt("is focused, and of the user's own", func() {})
		}
		factory := factories[trap]
		if factory == nil {
			factory = trapped(fine)
		}
		driver.ServeIfAsked(factory)
		run.WorkIfAsked(run.Of(factory), func(open Open) {
			Describe("before", func() {
				It("holds", Promise("EVI-01"), func() {})
			})
			Describe("the trap", func() { traps[trap](open) })
			Describe("after", func() {
				It("holds too", Promise("EVI-03"), func() {})
			})
		})
	}
	os.Exit(m.Run())
}

// subject is one whose memory operation runs into the trap.
type subject struct {
	spec.MinimalSubject
	memory func() (spec.Memory, error)
}

func (subject) Hello() spec.Hello {
	return spec.Hello{Protocol: spec.ProtocolVersion, Name: "trapped", Devices: []string{"cpu"}, Layers: spec.Layers(), Can: spec.Capabilities()}
}
func (subject) Resolve(spec.Config) (spec.Resolution, error)      { return spec.Resolution{}, nil }
func (subject) NewManager(spec.ManagerSpec) (spec.Manager, error) { return nil, spec.Unsupported }
func (subject) NewObject(spec.ObjectSpec) (spec.Object, error)    { return nil, spec.Unsupported }
func (subject) Make(spec.Recipe) (spec.Value, error)              { return nil, spec.Unsupported }
func (s subject) Memory() (spec.Memory, error)                    { return s.memory() }

func trapped(memory func() (spec.Memory, error)) spec.Factory {
	return func(context.Context, spec.Process) (spec.Subject, error) { return subject{memory: memory}, nil }
}

func fine() (spec.Memory, error) { return spec.Memory{}, nil }

var factories = map[string]spec.Factory{
	"exit":           trapped(func() (spec.Memory, error) { os.Exit(0); return fine() }),
	"panic":          trapped(func() (spec.Memory, error) { panic("the subject's own") }),
	"stack overflow": trapped(func() (spec.Memory, error) { return ignore(overflow(1)) }),
	"map writes":     trapped(func() (spec.Memory, error) { writeMaps(); return fine() }),
	"hang":           trapped(func() (spec.Memory, error) { select {} }),
	"refusing panic": trapped(func() (spec.Memory, error) { panic("the subject's own") }),
	"refusing hang":  trapped(func() (spec.Memory, error) { select {} }),
	"denied claim":   trapped(func() (spec.Memory, error) { return spec.Memory{}, spec.Refuse(spec.Unsupported, "no collector") }),
	"internal":       trapped(func() (spec.Memory, error) { return spec.Memory{}, spec.Refuse(spec.Internal, "lost itself") }),
	"no subject": func(context.Context, spec.Process) (spec.Subject, error) {
		return nil, spec.Refuse(spec.Raised, "no such device")
	},
	"child": trapped(func() (spec.Memory, error) {
		cmd := exec.Command("sleep", "30") // which inherits whatever is not close-on-exec
		cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
		cmd.Start()
		os.Exit(3)
		return fine()
	}),
	"panicking start": func(context.Context, spec.Process) (spec.Subject, error) { panic("no such device") },
	"exiting start": func(context.Context, spec.Process) (spec.Subject, error) {
		os.Stderr.WriteString("no such device\n")
		os.Exit(1)
		return nil, nil
	},
	"hanging start":   func(context.Context, spec.Process) (spec.Subject, error) { select {} },
	"empty start":     func(context.Context, spec.Process) (spec.Subject, error) { return nil, nil },
	"panicking close": closing(func() error { panic("on the way out") }),
	"nothing made":    func(context.Context, spec.Process) (spec.Subject, error) { return nothing{subject{memory: fine}}, nil },
	"old protocol":    func(context.Context, spec.Process) (spec.Subject, error) { return old{subject{memory: fine}}, nil },
}

// nothing makes managers that are none.
type nothing struct{ subject }

func (nothing) NewManager(spec.ManagerSpec) (spec.Manager, error) { return nil, nil }

// closed is a subject that ends in its own way, but for its first: that one only
// says hello.
type closed struct {
	subject
	end func() error
}

func (c closed) Close() error { return c.end() }

func closing(end func() error) spec.Factory {
	first := true
	return func(context.Context, spec.Process) (spec.Subject, error) {
		if first {
			first = false
			return subject{memory: fine}, nil
		}
		return closed{subject{memory: fine}, end}, nil
	}
}

type old struct{ subject }

func (old) Hello() spec.Hello { return spec.Hello{Protocol: spec.ProtocolVersion + 1} }

func ignore(int) (spec.Memory, error) { return fine() }

func overflow(n int) int {
	debug.SetMaxStack(1 << 20) // the usual GiB takes seconds to fill
	var pad [1 << 12]byte
	pad[n%len(pad)] = 1
	return overflow(n+1) + int(pad[0])
}

func writeMaps() {
	m := map[int]int{}
	stop := time.After(5 * time.Second)
	for range 2 {
		go func() {
			for {
				m[1]++
			}
		}()
	}
	<-stop
}

// ask is a spec that asks the subject for the operation that traps it.
func ask(open Open) {
	It("asks", Promise("EVI-02"), func(ctx SpecContext) {
		s := open.Subject(ctx)
		Expect(Error(s.Memory())).NotTo(HaveOccurred())
	})
}

// refused is a spec that waits for a refusal.
func refused(open Open) {
	It("is refused", Promise("EVI-02"), func(ctx SpecContext) {
		Expect(Error(open.Subject(ctx).Memory())).To(BeRefused())
	})
}

var traps = map[string]func(Open){
	"exit": ask, "panic": ask, "stack overflow": ask, "map writes": ask, "hang": ask, "internal": ask,
	"no subject": ask, "old protocol": ask, "child": ask, "panicking start": ask, "exiting start": ask,
	"hanging start": ask, "empty start": ask,
	"panicking close": ask,
	"refusing panic":  refused, "refusing hang": refused,
	"nothing made": func(open Open) {
		It("makes one", Promise("EVI-02"), func(ctx SpecContext) { Must(open.Subject(ctx).NewManager(spec.ManagerSpec{})) })
	},
	"denied claim": func(open Open) {
		It("asks for it", Promise("EVI-02"), func(ctx SpecContext) {
			Expect(Error(open.Subject(ctx).Memory())).To(BeRefused())
		})
	},
	"spec panics": func(Open) { It("panics", Promise("EVI-02"), func() { panic("ours") }) },
	"spec blocks": func(Open) { It("blocks", Promise("EVI-02"), func() { select {} }) },
	"bare skip":   func(Open) { It("skips", Promise("EVI-02"), func() { Skip("for no reason") }) },
	"pending":     func(Open) { PIt("is pending", Promise("EVI-02"), func() {}) },
	"two rows":    func(Open) { It("asks two", Promise("EVI-02"), Promise("EVI-04"), func() {}) },
	"broken":      func(Open) { It("fails", Promise("EVI-02"), func() { Expect(1).To(Equal(2), "one is two") }) },
	"unclaimed":   func(Open) { It("asks nothing", Promise("EVI-02"), func() { Unclaimed("not here") }) },
	"cannot tell": func(Open) { It("saw nothing", Promise("EVI-02"), func() { CannotTell("too noisy") }) },
	"no operation": func(open Open) {
		It("needs one", Promise("EVI-02"), func(ctx SpecContext) { Must(open.Subject(ctx).NewManager(spec.ManagerSpec{})) })
	},
	// Ginkgo cancels a spec's context when its body returns. A subject that was
	// started with it has to live until its clean-up all the same.
	"asked in a clean-up": func(open Open) {
		It("asks", Promise("EVI-02"), func(ctx SpecContext) {
			s := open.In(ctx, spec.Process{Fresh: true})
			DeferCleanup(func() { Expect(Error(s.Resolve(spec.Config{}))).NotTo(HaveOccurred()) })
		})
	},
	"no kind": func(open Open) {
		It("needs one", Promise("EVI-02"), func(ctx SpecContext) { KindOf(open.Subject(ctx), spec.LatentBuffer) })
	},
	"premise": func(open Open) {
		It("needs one", Promise("EVI-02"), func(ctx SpecContext) {
			open.Subject(ctx)
			Do(spec.Refuse(spec.InvalidArgument, "not like that"))
		})
	},
	"no spec": func(Open) {},
	"focus":   func(Open) { holds() },
	"keeping": func(open Open) { keeps(open, true) }, "keeping, held": func(open Open) { keeps(open, false) },
	"twice": func(Open) { holds(); holds() },
}

func holds() { It("holds as well", Promise("EVI-02"), func() {}) }

// fall runs three rows, of which the second runs into a trap.
func fall(t *testing.T, trap string, change func(*run.Options)) verdict.Results {
	t.Helper()
	o := options(t, trap)
	if change != nil {
		change(&o)
	}
	return verdict.Fold(run.Run(t.Context(), o))
}

func options(t *testing.T, trap string) run.Options {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	var rows []catalogue.Row
	for _, id := range []string{"EVI-01", "EVI-02", "EVI-03"} {
		r, _ := catalogue.Lookup(id)
		rows = append(rows, r)
	}
	return run.Options{Command: []string{self}, Env: []string{trapVar + "=" + trap}, Rows: rows, Seed: 1,
		Timeout: patience(trap), Limit: limit(trap), Reproduce: func(row string) string { return "again " + row }}
}

// patience is how long a request may take: not long where none will be answered,
// else long enough for a busy machine.
func patience(trap string) time.Duration {
	if strings.Contains(trap, "hang") {
		return time.Second
	}
	return time.Minute
}

// limit is the same for a spec.
func limit(trap string) time.Duration {
	if trap == "spec blocks" {
		return 6 * time.Second
	}
	return 10 * time.Minute
}
