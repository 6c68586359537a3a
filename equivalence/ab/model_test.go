package ab_test

import (
	"encoding/binary"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/statespec/statespec/driver/reap"
	"github.com/statespec/statespec/equivalence/ab"
)

// The variables by which this test binary becomes a program under test: what it
// does, and the switch that is flipped.
const (
	modelVar  = "AB_TEST_MODEL"
	switchVar = "AB_TEST_SWITCH"
	cacheVar  = "AB_TEST_CACHE"
)

func TestMain(m *testing.M) {
	if does := os.Getenv(modelVar); does != "" {
		model(does)
	}
	if err := reap.Adopt(); err != nil {
		panic(err)
	}
	os.Exit(m.Run())
}

// model is a program with a switch. Whatever it does else, it writes the artefacts
// 1-state.npy and 2-action.npy and says which path it took.
func model(does string) {
	out, on := os.Getenv(ab.OutVar), os.Getenv(switchVar) == "1"
	path := map[bool]string{false: "bespoke", true: "managed"}[on]
	action, facts, code := uint64(7), "", 0
	switch does {
	case "diverges":
		action += map[bool]uint64{true: 1}[on]
	case "is random":
		action = uint64(os.Getpid())
	case "is random on B":
		if on {
			action = uint64(os.Getpid())
		}
	case "never switches":
		path = "bespoke"
	case "switches within a run":
		path = ""
		fmt.Println("path: bespoke")
		fmt.Println("path: managed")
	case "tells its log":
		fmt.Printf("session state path: %s\n", path)
		path = ""
	case "tells nothing":
		path = ""
	case "tells nonsense":
		write(filepath.Join(out, ab.WitnessFile), []byte(`{"path": 3}`))
		path = ""
	case "reads another config on B":
		facts = fmt.Sprintf(`, "facts": {"config": "%v"}`, on)
	case "fails":
		fmt.Println("no such checkpoint")
		code = 3
	case "fails in colour":
		fmt.Println("\x1b[31mno such checkpoint")
		code = 3
	case "witnesses in colour":
		path = `\u001b[31m` + path
	case "fails on B":
		code = map[bool]int{true: 1}[on]
	case "hangs":
		r, w, err := os.Pipe()
		if err != nil {
			panic(err)
		}
		r.Read(make([]byte, 1)) // nobody writes
		w.Close()
	case "leaves a child behind", "leaves a session behind", "hangs with a session":
		child := exec.Command(os.Args[0])
		child.Env = append(os.Environ(), modelVar+"=hangs")
		child.Stdout = os.Stdout
		child.SysProcAttr = &syscall.SysProcAttr{Setsid: does != "leaves a child behind"}
		if err := child.Start(); err != nil {
			panic(err)
		}
		write(filepath.Join(filepath.Dir(out), "child"), fmt.Appendf(nil, "%d", child.Process.Pid))
		if does == "hangs with a session" {
			model("hangs")
		}
	case "leaves a broken array":
		write(filepath.Join(out, "3-broken.npy"), []byte("junk"))
	case "leaves a named pipe":
		pipe(filepath.Join(out, "3-pipe.npy"))
	case "witnesses by a named pipe":
		pipe(filepath.Join(out, ab.WitnessFile))
		path = ""
	case "orders by a named pipe":
		pipe(filepath.Join(out, ab.ManifestFile))
	case "locks its folder":
		write(filepath.Join(out, "1-state.npy"), vector(1))
		write(filepath.Join(out, ab.WitnessFile), []byte(`{"path": "`+path+`"}`))
		if err := os.Chmod(out, 0); err != nil {
			panic(err)
		}
		os.Exit(0)
	case "removes its folder":
		os.Exit(map[bool]int{true: 1}[os.RemoveAll(out) != nil])
	case "puts a file in place of its folder":
		os.RemoveAll(out)
		write(out, nil)
		os.Exit(0)
	case "leaves nothing":
		os.Exit(0)
	case "writes text":
		write(filepath.Join(out, "notes.txt"), []byte(path))
		write(filepath.Join(out, ab.WitnessFile), []byte(`{"path": "`+path+`"}`))
		os.Exit(0)
	case "tells its memory":
		held := map[bool]string{false: `[[1024, 8], [2048, 8]]`, true: `[[1024, 8], [1024, 8]]`}[on]
		write(filepath.Join(out, "bytes_held.json"), []byte(`{"columns": ["total", "prompt"], "steps": `+held+`}`))
	case "tells nonsense of its memory":
		write(filepath.Join(out, "bytes_held.json"), []byte(`{"columns": ["total"], "steps": [[1, 2]]}`))
	case "fills a cache":
		write(filepath.Join(os.Getenv(cacheVar), fmt.Sprint("kernel-", os.Getpid())), []byte("x"))
	case "writes where it is":
		action = uint64(len(out))
	}
	write(filepath.Join(out, "1-state.npy"), vector(1, 2, 3))
	write(filepath.Join(out, "2-action.npy"), vector(5, 6, action))
	if path != "" {
		write(filepath.Join(out, ab.WitnessFile), []byte(`{"path": "`+path+`"`+facts+`}`))
	}
	os.Exit(code)
}

func pipe(path string) {
	if err := syscall.Mkfifo(path, 0o644); err != nil {
		panic(err)
	}
}

func write(path string, content []byte) {
	if err := os.WriteFile(path, content, 0o644); err != nil {
		panic(err)
	}
}

// vector is a .npy file of uint64.
func vector(values ...uint64) []byte {
	header := fmt.Sprintf("{'descr': '<u8', 'fortran_order': False, 'shape': (%d,), }", len(values))
	header = fmt.Sprintf("%-117s\n", header)
	file := append([]byte("\x93NUMPY\x01\x00\x76\x00"), header...)
	for _, v := range values {
		file = binary.LittleEndian.AppendUint64(file, v)
	}
	return file
}
