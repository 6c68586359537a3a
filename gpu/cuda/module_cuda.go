//go:build cuda

package cuda

import (
	"sync"
	"unsafe"
	"weak"

	"gorgonia.org/cu"
)

// A Module is the kernels of one PTX text on one device. It lives as long as the
// device, unless Unload ends it.
type Module struct {
	d        *Device
	resource *resource
	module   cu.Module
	entries  map[string]int // parameters of each kernel

	mu        sync.Mutex
	functions map[string]cu.Function
}

// Load compiles PTX text for the device. Every parameter of its kernels must be a
// 64-bit integer, or it is fault.ErrInvalidArgument.
func (d *Device) Load(ptx string) (m *Module, err error) {
	const operation = "load a module"
	found, err := entries(ptx)
	if err != nil {
		return nil, d.failed(err, operation)
	}
	err = d.do(func() error {
		made, err := cu.LoadData(ptx)
		if err != nil {
			return err
		}
		m = &Module{d: d, module: made, entries: found, functions: map[string]cu.Function{}}
		m.resource = d.own(aModule, 0, 0, made.Unload, weak.Pointer[Memory]{})
		return nil
	})
	if err != nil {
		return nil, d.failed(err, operation)
	}
	return m, nil
}

// Launch queues a kernel over one dimension of at least as many threads, in blocks
// of 256, on a stream; nil is the device's own. Kernels compare their index with a
// count of their own. An argument is a number or the address of a Memory, which
// must stay reachable until Launch returns (runtime.KeepAlive). No threads are no
// work. What goes wrong on the device is seen when the stream is synchronized.
func (m *Module) Launch(s *Stream, kernel string, threads int, args ...uint64) error {
	operation := func() string { return launch(kernel, threads) }
	blocks, err := grid(m.entries, kernel, threads, len(args))
	if err != nil {
		return m.d.failed(err, operation())
	}
	queue, err := m.d.queue(operation, s)
	if err != nil {
		return err
	}
	return m.d.using(operation, func() error {
		f, err := m.function(kernel)
		if err != nil || blocks == 0 {
			return err
		}
		pointers := make([]unsafe.Pointer, len(args))
		for i := range args {
			pointers[i] = unsafe.Pointer(&args[i])
		}
		return f.Launch(blocks, 1, 1, block, 1, 1, 0, queue.stream, pointers)
	}, append(queue.resources(), m.resource)...)
}

// function looks a kernel up. The context is current.
func (m *Module) function(kernel string) (cu.Function, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if f, ok := m.functions[kernel]; ok {
		return f, nil
	}
	f, err := m.module.Function(kernel)
	if err == nil {
		m.functions[kernel] = f
	}
	return f, err
}

// Unload waits for the device's work and ends the module. Unloading twice is
// ErrReleased.
func (m *Module) Unload() error { return m.d.release(m.resource, "unload a module") }
