package artefact_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/statespec/statespec/equivalence/artefact"
)

func TestAFileThatIsCutWhileItIsMappedIsAnError(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.npy")
	if err := os.WriteFile(path, npyFile("<f4", "False", "(262144,)", counting(1<<20)), 0o644); err != nil {
		t.Fatal(err)
	}
	a := open(t, path).Entries[0].Array
	s, err := a.Source.Stream()
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	sum := byte(0)
	err = artefact.Guard(func() error {
		part, err := s.Next(1 << 20)
		if err == nil {
			err = os.Truncate(path, 4096)
		}
		for _, b := range part {
			sum += b
		}
		return err
	}, "no mapping", s)
	fault, ok := errors.AsType[*artefact.FaultError](err)
	if !ok || fault.Of != 1 || !errors.Is(err, artefact.ErrFault) {
		t.Errorf("Guard = %v, want a FaultError of source 1", err)
	}
}
