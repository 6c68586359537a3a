package main

import (
	"context"
	"regexp"
	"strings"
	"testing"
)

func command(t *testing.T, args ...string) (code int, out, progress string) {
	t.Helper()
	var o, p strings.Builder
	code = run(t.Context(), args, &o, &p)
	return code, o.String(), p.String()
}

func TestBadFlagsAreRefused(t *testing.T) {
	for says, args := range map[string][]string{
		"-nope":                   {"-nope"},
		"-only: error parsing":    {"-only", "("},
		"has such a name":         {"-only", "impl=control"},
		"want at least 1ms":       {"-time", "10us"},
		"want 1 to 10000":         {"-count", "0"},
		"want flags only":         {"PeerGet"},
		"want it without other":   {"-strict", "-count", "3"},
		`invalid value "x"`:       {"-count", "x"},
		"invalid boolean value":   {"-strict=maybe"},
		"flag needs an argument:": {"-time"},
	} {
		code, out, progress := command(t, args...)
		if code != 2 || out != "" || !strings.Contains(progress, says) || strings.Count(progress, "\n") != 1 {
			t.Errorf("%q: exit %d, %q, %q, want 2, nothing, and one line with %q", args, code, out, progress, says)
		}
	}
}

func TestHelpIsNoError(t *testing.T) {
	code, out, progress := command(t, "-h")
	if code != 0 || out != "" || !strings.Contains(progress, "-only REGEXP") {
		t.Errorf("-h: exit %d, %q, %q, want 0 and the flags", code, out, progress)
	}
}

// What is named is measured beside the control, and nothing else is.
func TestLinesAreWrittenInGosBenchmarkFormat(t *testing.T) {
	code, out, progress := command(t, "-only", "PeerGet/impl=(otter|statespec)", "-count", "2", "-time", "1ms")
	if code != 0 || !strings.Contains(progress, "1 of 1: PeerGet") {
		t.Fatalf("exit %d, %q", code, progress)
	}
	want := regexp.MustCompile(`^goos: \w+
goarch: \w+
pkg: github\.com/statespec/statespec/ci/peers
(?:BenchmarkPeerGet/impl=control/sessions=64\t +\d+\t[\d.]+ ns/op\t0 B/op\t0 allocs/op
BenchmarkPeerGet/impl=statespec/sessions=64\t +\d+\t[\d.]+ ns/op\t[\d.]+ x/control\t0 B/op\t0 allocs/op
BenchmarkPeerGet/impl=otter/sessions=64\t +\d+\t[\d.]+ ns/op\t[\d.]+ x/control\t[\d.]+ hit-ratio
){2}$`)
	if !want.MatchString(out) {
		t.Errorf("wrote\n%s, want what matches\n%s", out, want)
	}
}

func TestAnEndedMeasurementIsNoSuccess(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var out, progress strings.Builder
	if code := run(ctx, nil, &out, &progress); code != 1 || !strings.Contains(progress.String(), "canceled") {
		t.Errorf("exit %d, %q, want 1 and why", code, progress.String())
	}
}
