package op

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/statespec/statespec/spec"
)

// behaviours are what a declared behaviour may be; the empty text declares nothing.
var behaviours = []struct {
	field   string
	of      func(spec.Hello) string
	allowed []string
}{
	{"environment", func(h spec.Hello) string { return h.Environment }, []string{"process", "call"}},
	{"use", func(h spec.Hello) string { return h.Use }, []string{"lookup", "access"}},
	{"views", func(h spec.Hello) string { return h.Views }, []string{"always", "until-next-write"}},
	{"extend", func(h spec.Hello) string { return h.Extend }, []string{"all", "none", "prefix"}},
	{"drop", func(h spec.Hello) string { return h.Drop }, []string{"its-state", "nothing"}},
	{"staged", func(h spec.Hello) string { return h.Staged }, []string{"counted", "not-counted"}},
	{"parked", func(h spec.Hello) string { return h.Parked }, []string{"unparks", "refused"}},
}

// misspoken says what of a hello nobody understands; empty when all is well. A
// word with a slip of the pen would otherwise claim nothing, in silence.
func misspoken(h spec.Hello) string {
	switch {
	case strings.TrimSpace(h.Name) == "":
		return "hello.name is empty: reports have to name the subject"
	case len(h.Devices) == 0:
		return `hello.devices is empty: a subject has at least one device ("cpu")`
	}
	for _, w := range behaviours {
		if said := w.of(h); said != "" && !slices.Contains(w.allowed, said) {
			return fmt.Sprintf("hello.%s is %q, want one of %q", w.field, said, w.allowed)
		}
	}
	if wrong := unknown("layers", h.Layers, spec.Layers()); wrong != "" {
		return wrong
	}
	if wrong := unknown("can", h.Can, spec.Capabilities()); wrong != "" {
		return wrong
	}
	for _, k := range h.Kinds {
		if wrong := unknown("kinds", []spec.ObjectKind{k.Kind}, []spec.ObjectKind{spec.LatentBuffer, spec.EncodeOnceKV, spec.Spy}); wrong != "" {
			return wrong
		}
		if wrong := unknown("kinds.bounds", k.Bounds, []spec.BoundUnit{spec.Unbounded, spec.Payloads, spec.Frames}); wrong != "" {
			return wrong
		}
		if wrong := unknown("kinds.resident", []string{k.Resident}, []string{"allocate", "first-commit"}); wrong != "" {
			return wrong
		}
		if wrong := unknown("kinds.keeps", []string{k.Keeps}, []string{"copy", "reference"}); wrong != "" {
			return wrong
		}
	}
	return cmp.Or(unknown("holds", h.Holds, spec.ValueKinds()), unknown("blind", h.Blind, spec.ValueKinds()))
}

// CheckHello says what of a hello nobody understands.
func CheckHello(h spec.Hello) error {
	if wrong := misspoken(h); wrong != "" {
		return errors.New(wrong)
	}
	return nil
}

func unknown[W ~string](field string, said, allowed []W) string {
	for _, w := range said {
		if !slices.Contains(allowed, w) {
			return fmt.Sprintf("hello.%s has %q, want one of %q", field, w, allowed)
		}
	}
	return ""
}

// levels are what a log record may be.
var levels = []string{"debug", "info", "warning", "error"}
