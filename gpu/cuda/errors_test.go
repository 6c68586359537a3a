package cuda

import (
	"errors"
	"io"
	"testing"

	"github.com/statespec/statespec/reference/fault"
)

func TestErrorsSayWhatWasAndKeepTheirCause(t *testing.T) {
	full := &OutOfMemoryError{Device: "cuda:0", Asked: 100, Free: 10, Total: 50, Cause: io.EOF}
	lost := &contextLost{operation: "launch f", cause: io.EOF}
	leaks := &LeakError{Device: "cuda:1", Leaks: []Leak{
		{"device memory", 0x500, 50}, {"pinned memory", 0x400, 40}, {"device memory", 0x300, 30}, {"device memory", 0x200, 20}, {"device memory", 0x100, 10}}}
	for _, c := range []struct {
		err  error
		says string
		is   []error
	}{
		{full, "cuda:0: out of memory: asked for 100 bytes, 10 of 50 are free: EOF", []error{fault.ErrOutOfMemory, io.EOF}},
		{lost, "CUDA context lost: EOF, seen at: launch f; the device needs a new process", []error{ErrContextLost, io.EOF}},
		{leaks, "cuda:1: closed with 5 allocations of 150 bytes still held: device memory of 50 bytes at 0x500; pinned memory of 40 bytes at 0x400;" +
			" device memory of 30 bytes at 0x300; device memory of 20 bytes at 0x200; and 1 more", nil},
		{&LeakError{Device: "cuda:1", Leaks: leaks.Leaks[:1]}, "cuda:1: closed with 1 allocations of 50 bytes still held: device memory of 50 bytes at 0x500", nil},
	} {
		if got := c.err.Error(); got != c.says {
			t.Errorf("got  %s\nwant %s", got, c.says)
		}
		for _, kind := range c.is {
			if !errors.Is(c.err, kind) {
				t.Errorf("%v is not %v", c.err, kind)
			}
		}
	}
}

func TestReportReadsWhatItKnows(t *testing.T) {
	r, ok := parseReport([]byte(`{"simulated":true,"live_allocs":1,"uaf":2,"news":[3],"last_fault":"a \"b\"","devices":[{"ordinal":1,"live_bytes":4}]}`))
	if !ok || r.LiveAllocs != 1 || r.UseAfterFree != 2 || r.LastFault != `a "b"` || len(r.Devices) != 1 || r.Devices[0].Ordinal != 1 || r.Devices[0].LiveBytes != 4 {
		t.Errorf("parseReport = %+v, %v", r, ok)
	}
	if _, ok := parseReport([]byte(`{"uaf":`)); ok {
		t.Error("half a report is one")
	}
}
