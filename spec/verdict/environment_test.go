package verdict_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/statespec/statespec/spec/verdict"
)

func TestASecretOfTheEnvironmentIsNotRecorded(t *testing.T) {
	env := verdict.Surroundings([]string{"TOKEN=s3cret", "GOGC=50", "EMPTY=", "A=b=c", "=C:=x"}, verdict.Harmless)
	want := []verdict.Variable{
		{Name: "A", SHA256: "49941ed0"},
		{Name: "EMPTY", SHA256: "e3b0c442"},
		{Name: "GOGC", Value: "50"},
		{Name: "TOKEN", SHA256: "1ec1c26b"},
	}
	got := env.Variables
	for i := range got {
		if strings.Contains(got[i].Value, "s3cret") {
			t.Errorf("variable %v holds the secret", got[i])
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("variables (-want +got):\n%s", diff)
	}
}
