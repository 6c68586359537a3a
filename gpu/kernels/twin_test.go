package kernels_test

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/statespec/statespec/gpu/kernels"
)

func TestTheHostTwinsGiveTheBitsOfTheGoCode(t *testing.T) { everything(t, twins(t)) }

// process is the harness, which runs host twins with every access checked.
type process struct {
	in     io.Writer
	out    *bufio.Reader
	width  uint64 // threads of a block
	order  int    // in which threads run
	blocks uint64 // of a launch, where it is not what the call asks for
}

var harnessDir string

func TestMain(m *testing.M) {
	code := m.Run()
	os.RemoveAll(harnessDir)
	os.Exit(code)
}

// harness compiles the kernels for the host, with what runs them. Without a
// compiler there is a reason instead.
var harness = sync.OnceValues(func() (program string, err error) {
	cc, err := exec.LookPath("gcc")
	if err != nil {
		return "", errNoCompiler
	}
	if harnessDir, err = os.MkdirTemp("", "kernels"); err != nil {
		return "", err
	}
	text, err := wrappers()
	if err != nil {
		return "", err
	}
	if err := os.WriteFile(filepath.Join(harnessDir, "twins.h"), []byte(text), 0o644); err != nil {
		return "", err
	}
	program = filepath.Join(harnessDir, "harness")
	compile := exec.Command(cc, "-std=gnu11", "-O2", "-ffp-contract=off", "-Wall", "-Wextra", "-Werror",
		"-I", harnessDir, "-I", ".", "-o", program, filepath.Join("testdata", "harness.c"))
	if out, err := compile.CombinedOutput(); err != nil {
		return "", fmt.Errorf("%v: %w\n%s", compile, err, out)
	}
	return program, nil
})

var errNoCompiler = errors.New("gcc is missing (Debian: apt-get install gcc libc6-dev), so that the host twins are not compiled")

// twins starts a harness.
func twins(t *testing.T) *process {
	t.Helper()
	program, err := harness()
	switch {
	case err == errNoCompiler && !required():
		t.Skip(err)
	case err == errNoCompiler:
		t.Fatalf("%v, and STATESPEC_REQUIRE_GPU is set", err)
	case err != nil:
		t.Fatal(err)
	}
	p, cmd := &process{width: 64}, exec.Command(program)
	in := must[io.WriteCloser](t)(cmd.StdinPipe())
	cmd.Stderr = os.Stderr
	p.in, p.out = in, bufio.NewReaderSize(must[io.ReadCloser](t)(cmd.StdoutPipe()), 1<<16)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		in.Close()
		if err := cmd.Wait(); err != nil {
			t.Errorf("harness: %v", err)
		}
	})
	return p
}

// declaration is how kernels.cu declares a kernel, on one line.
var declaration = regexp.MustCompile(`(?m)^KERNEL ([a-z0-9_]+)\((u64 [a-z_0-9]+(?:, u64 [a-z_0-9]+)*)\) \{$`)

// declared returns the kernels of a source with the number of their parameters, in
// order.
func declared(file string) (names []string, parameters map[string]int, err error) {
	source, err := os.ReadFile(file)
	if err != nil {
		return nil, nil, err
	}
	parameters = map[string]int{}
	for _, match := range declaration.FindAllStringSubmatch(string(source), -1) {
		names = append(names, match[1])
		parameters[match[1]] = strings.Count(match[2], ",") + 1
	}
	if n := strings.Count(string(source), "KERNEL "); n != len(names) {
		return nil, nil, fmt.Errorf("%s declares %d kernels on one line each with u64 alone, and has KERNEL %d times", file, len(names), n)
	}
	return names, parameters, nil
}

// wrappers returns C that has the kernels, and a table of them.
func wrappers() (string, error) {
	var text, table strings.Builder
	table.WriteString("static const struct twin { const char *name; u64 parameters; void (*run)(const u64 *); } twins[] = {\n")
	for _, file := range []string{"kernels.cu", "testdata/wrong.cu"} {
		names, parameters, err := declared(file)
		if err != nil {
			return "", err
		}
		fmt.Fprintf(&text, "#include \"%s\"\n", file)
		for _, name := range names {
			var args []string
			for i := range parameters[name] {
				args = append(args, fmt.Sprintf("a[%d]", i))
			}
			fmt.Fprintf(&text, "static void run_%s(const u64 *a) { %s(%s); }\n", name, name, strings.Join(args, ", "))
			fmt.Fprintf(&table, "  {\"%s\", %d, run_%s},\n", name, parameters[name], name)
		}
	}
	return text.String() + table.String() + "  {0, 0, 0}};\n", nil
}

// ask sends a line and bytes, and returns the number in the answer.
func (p *process) ask(line string, bytes []byte) (uint64, error) {
	if _, err := io.WriteString(p.in, line+"\n"); err != nil {
		return 0, err
	}
	if _, err := p.in.Write(bytes); err != nil {
		return 0, err
	}
	answer, err := p.out.ReadString('\n')
	if err != nil {
		return 0, fmt.Errorf("%s: no answer: %w", line, err)
	}
	word, rest, _ := strings.Cut(strings.TrimSpace(answer), " ")
	if word != "ok" {
		return 0, fmt.Errorf("%s %s", word, rest)
	}
	return strconv.ParseUint(rest, 10, 64)
}

func (p *process) allocate(t testing.TB, contents []byte) uintptr {
	t.Helper()
	address := must[uint64](t)(p.ask(fmt.Sprintf("alloc %d", len(contents)), nil))
	must[uint64](t)(p.ask(fmt.Sprintf("write %d %d", address, len(contents)), contents))
	return uintptr(address)
}

func (p *process) read(t testing.TB, address uintptr, nbytes int) []byte {
	t.Helper()
	b := make([]byte, must[uint64](t)(p.ask(fmt.Sprintf("read %d %d", address, nbytes), nil)))
	if _, err := io.ReadFull(p.out, b); err != nil {
		t.Fatal(err)
	}
	return b
}

func (p *process) launch(call kernels.Call) error {
	blocks := p.blocks
	if blocks == 0 {
		blocks = (uint64(call.Threads)-1)/p.width + 1
	}
	line := fmt.Sprintf("launch %s %d %d %d", call.Kernel, blocks, p.width, p.order)
	for _, arg := range call.Args {
		line += fmt.Sprintf(" %d", arg)
	}
	_, err := p.ask(line, nil)
	return err
}

func (p *process) clear(t testing.TB) {
	t.Helper()
	must[uint64](t)(p.ask("clear", nil))
}
