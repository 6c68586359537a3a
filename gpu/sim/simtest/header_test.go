package simtest

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// setting is a machine as header.sh sees it: a cache, a toolkit, and the few programs
// that it may call.
type setting struct {
	cache, toolkit, programs string
}

func newSetting(t *testing.T) setting {
	t.Helper()
	for _, there := range []string{"/usr/local/cuda/include/cuda.h", "/usr/include/cuda.h"} {
		if _, err := os.Stat(there); err == nil {
			t.Skip("the machine has a toolkit: " + there)
		}
	}
	s := setting{t.TempDir(), t.TempDir(), t.TempDir()}
	for _, program := range []string{"sh", "sed", "head", "awk", "mkdir", "cp", "chmod", "mv", "rm", "tar", "cat"} {
		s.program(t, program)
	}
	return s
}

// program makes one of the machine's own callable.
func (s setting) program(t *testing.T, name string) {
	t.Helper()
	at, err := exec.LookPath(name)
	if err != nil {
		t.Skip(name + " is missing")
	}
	if err := os.Symlink(at, filepath.Join(s.programs, name)); err != nil {
		t.Fatal(err)
	}
}

// script makes one that the test wrote callable.
func (s setting) script(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(s.programs, name), []byte("#!/bin/sh\n"+text), 0o755); err != nil {
		t.Fatal(err)
	}
}

func (s setting) toolkitHas(t *testing.T, text string) {
	t.Helper()
	put(t, filepath.Join(s.toolkit, "include", "cuda.h"), text)
}

func put(t *testing.T, file, text string) {
	t.Helper()
	if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o755), os.WriteFile(file, []byte(text), 0o644)); err != nil {
		t.Fatal(err)
	}
}

func (s setting) header() string { return filepath.Join(s.cache, "cuda", "include", "cuda.h") }

// run returns standard output, standard error and whether it went well.
func (s setting) run() (out, said string, ok bool) {
	command := exec.Command("../../header.sh")
	command.Env = []string{"PATH=" + s.programs, "STATESPEC_CACHE=" + s.cache, "CUDA_HOME=" + s.toolkit, "DEBIAN_MIRROR=file:/mirror"}
	complaints := &strings.Builder{}
	command.Stderr = complaints
	b, err := command.Output()
	return strings.TrimSpace(string(b)), complaints.String(), err == nil
}

// left is what lies in the cache.
func (s setting) left(t *testing.T) (files []string) {
	t.Helper()
	filepath.WalkDir(s.cache, func(path string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			files = append(files, path)
		}
		return nil
	})
	return files
}

func TestAToolkitsHeaderGoesIntoTheCache(t *testing.T) {
	for _, version := range []string{"11000", "11080", "12090"} {
		s := newSetting(t)
		s.toolkitHas(t, "#define CUDA_VERSION "+version+"\n")
		for range 2 {
			out, said, ok := s.run()
			if !ok || out != s.header() || len(s.left(t)) != 1 {
				t.Errorf("CUDA %s: ok %v, %q, in the cache %q, want %s alone\n%s", version, ok, out, s.left(t), s.header(), said)
			}
			os.RemoveAll(s.toolkit) // the second time it is in the cache
		}
	}
}

func TestAHeaderThatDoesNotFitIsPassedOverWithTheReason(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"#define CUDA_VERSION 13000\n", "passed over: it is CUDA 13.0's, and gorgonia.org/cu compiles with those of CUDA 11 and 12 alone"},
		{"#define CUDA_VERSION 10020\n", "passed over: it is CUDA 10.2's, want CUDA 11 or 12"},
		{"half a head", "passed over: it defines no CUDA_VERSION"},
	} {
		s := newSetting(t)
		s.toolkitHas(t, c.text)
		out, said, ok := s.run()
		if ok || out != "" || len(s.left(t)) != 0 || !strings.Contains(said, c.want) || !strings.Contains(said, "no apt-get to take the header") {
			t.Errorf("%q: ok %v, %q, left %q, want failure with %q\n%s", c.text, ok, out, s.left(t), c.want, said)
		}
	}
}

func TestAHalfWrittenHeaderInTheCacheIsReplaced(t *testing.T) {
	s := newSetting(t)
	put(t, s.header(), "half a head")
	s.toolkitHas(t, "#define CUDA_VERSION 11080\n")
	if out, said, ok := s.run(); !ok || out != s.header() {
		t.Fatalf("ok %v, %q\n%s", ok, out, said)
	}
	if text, _ := os.ReadFile(s.header()); string(text) != "#define CUDA_VERSION 11080\n" {
		t.Errorf("the header in the cache = %q, want the toolkit's", text)
	}
}

func TestOfflineThereIsAMessageAndNothingInTheCache(t *testing.T) {
	s := newSetting(t)
	s.program(t, "dpkg-deb")
	s.script(t, "apt-get", "exit 100\n")
	out, said, ok := s.run()
	if ok || out != "" || len(s.left(t)) != 0 || !strings.Contains(said, "could not be fetched from file:/mirror: is the machine online?") {
		t.Errorf("ok %v, %q, left %q, want failure and an empty cache\n%s", ok, out, s.left(t), said)
	}
}

// pack builds a package with a header in it.
func (s setting) pack(t *testing.T, header string) string {
	t.Helper()
	folder := t.TempDir()
	put(t, filepath.Join(folder, "root", "usr", "include", "cuda.h"), header)
	put(t, filepath.Join(folder, "root", "DEBIAN", "control"), "Package: nvidia-cuda-dev\nVersion: 1\nArchitecture: all\nMaintainer: nobody <nobody@localhost>\nDescription: test\n")
	file := filepath.Join(folder, "nvidia-cuda-dev_1_all.deb")
	if out, err := exec.Command("dpkg-deb", "--root-owner-group", "-b", filepath.Join(folder, "root"), file).CombinedOutput(); err != nil {
		t.Fatalf("dpkg-deb: %v\n%s", err, out)
	}
	return file
}

func TestTheHeaderComesOutOfDebiansPackageAlone(t *testing.T) {
	for _, c := range []struct {
		header string
		ok     bool
	}{{"#define CUDA_VERSION 11080\n", true}, {"nothing", false}} {
		s := newSetting(t)
		s.program(t, "dpkg-deb")
		deb := s.pack(t, c.header)
		calls := filepath.Join(t.TempDir(), "calls")
		s.script(t, "apt-get", `echo "$@" >>`+calls+"\n"+`case "$*" in *download*) cp `+deb+` . ;; esac`+"\n")
		out, said, ok := s.run()
		if ok != c.ok || ok != (out == s.header()) {
			t.Errorf("%q: ok %v, %q, want ok %v\n%s", c.header, ok, out, c.ok, said)
		}
		if left := s.left(t); ok && (len(left) != 1 || left[0] != s.header()) || !ok && len(left) != 0 {
			t.Errorf("%q: left in the cache %q, want the header alone, or nothing", c.header, left)
		}
		text, _ := os.ReadFile(calls)
		for call := range strings.Lines(string(text)) {
			for _, own := range []string{"Dir::State=" + s.cache, "Dir::Cache=" + s.cache, "Dir::Etc::sourcelist=" + s.cache, "Dir::Etc::sourceparts=-"} {
				if !strings.Contains(call, own) {
					t.Errorf("apt-get %swithout %s: the system's own lists would change", call, own)
				}
			}
		}
	}
}
