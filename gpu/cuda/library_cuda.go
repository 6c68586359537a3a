//go:build cuda

package cuda

/*
#cgo LDFLAGS: -lcuda -ldl
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stddef.h>
#include <stdlib.h>

// The stand-in for -lcuda. Absent when linked with a real one.
__attribute__((weak)) const char *cudashim_reason(void);
__attribute__((weak)) const char *cudashim_library(void);

static const char *reason(void) { return cudashim_reason ? cudashim_reason() : NULL; }
static const char *library(void) { return cudashim_library ? cudashim_library() : NULL; }

// The controls of simulated CUDA, in whichever library was loaded. A real one
// lacks them.
static void *symbol(const char *name) {
	const char *file = library();
	void *handle = file && *file ? dlopen(file, RTLD_NOW | RTLD_NOLOAD) : NULL;
	void *found = dlsym(handle ? handle : RTLD_DEFAULT, name);
	if (handle)
		dlclose(handle);
	return found;
}

static int simulated(void) { return symbol("cudasim_control") != NULL; }

static int control(const char *text) {
	int (*f)(const char *) = (int (*)(const char *))symbol("cudasim_control");
	return f ? f(text) : -2;
}

static int report(char *buffer, size_t n) {
	int (*f)(char *, size_t) = (int (*)(char *, size_t))symbol("cudasim_report");
	return f ? f(buffer, n) : -2;
}
*/
import "C"

import (
	"fmt"
	"unsafe"

	"gorgonia.org/cu"
)

// Unavailable says in words why there is no CUDA device; "" when there is one.
func Unavailable() string {
	if why := C.reason(); why != nil {
		return C.GoString(why)
	}
	if Count() == 0 {
		return "the CUDA driver reports no devices"
	}
	return ""
}

// Library names the file of the CUDA driver; "" when none was found or the program
// was linked with one.
func Library() string {
	if file := C.library(); file != nil {
		return C.GoString(file)
	}
	return ""
}

// Count returns the number of devices.
func Count() int {
	n, err := cu.NumDevices()
	if err != nil {
		return 0
	}
	return n
}

// Simulated reports whether the CUDA driver is the simulated one. What runs on it
// is no result of a GPU.
func Simulated() bool { return C.simulated() != 0 }

// SimControl sets faults and limits of simulated CUDA, "key=value,key=value". On a
// real CUDA driver it is an error.
func SimControl(text string) error {
	c := C.CString(text)
	defer C.free(unsafe.Pointer(c))
	switch C.control(c) {
	case 0:
		return nil
	case -2:
		return errNotSimulated
	}
	return fmt.Errorf("simulated CUDA does not know %q", text)
}

// SimReport returns the counters of simulated CUDA; false on a real CUDA driver.
func SimReport() (Report, bool) {
	text := make([]byte, 8<<10)
	for {
		n := int(C.report((*C.char)(unsafe.Pointer(&text[0])), C.size_t(len(text))))
		if n < 0 {
			return Report{}, false
		}
		if n < len(text) {
			return parseReport(text[:n])
		}
		text = make([]byte, n+1)
	}
}
