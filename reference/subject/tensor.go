package subject

import (
	"unsafe"

	"github.com/statespec/statespec/fixtures/fill"
	"github.com/statespec/statespec/reference/dtype"
	"github.com/statespec/statespec/reference/tensor"
	"github.com/statespec/statespec/spec"
)

// tensorOf makes a tensor, a view of one, or the same for a host array.
func (s *Subject) tensorOf(r spec.Recipe) (any, error) {
	switch r.Step {
	case "tensor":
		return s.newTensor(r)
	case "borrow":
		return s.borrow(r)
	}
	view, ok := views[r.Step]
	if !ok {
		return nil, spec.Refuse(spec.Unsupported, "make: %q", r.Step)
	}
	base := Content(r.From[0])
	t, err := asTensor(base)
	if err != nil {
		return nil, err
	}
	out, err := view(t, r)
	if err != nil {
		return nil, err
	}
	if a, host := base.(*HostArray); host {
		return &HostArray{out, a.immutable}, nil
	}
	return out, nil
}

var views = map[string]func(t *tensor.Tensor, r spec.Recipe) (*tensor.Tensor, error){
	"narrow": func(t *tensor.Tensor, r spec.Recipe) (*tensor.Tensor, error) {
		return t.Narrow(r.Axes[0], r.Axes[1], r.Axes[2])
	},
	"transpose": func(t *tensor.Tensor, r spec.Recipe) (*tensor.Tensor, error) {
		return t.Transpose(r.Axes[0], r.Axes[1])
	},
	"expand":  func(t *tensor.Tensor, r spec.Recipe) (*tensor.Tensor, error) { return t.Expand(r.Shape...) },
	"reshape": func(t *tensor.Tensor, r spec.Recipe) (*tensor.Tensor, error) { return t.Reshape(r.Shape...) },
	"alias": func(t *tensor.Tensor, _ spec.Recipe) (*tensor.Tensor, error) {
		return tensor.Of(t.Storage(), t.DType(), t.Shape(), t.Strides(), t.Offset())
	},
	"retype": func(t *tensor.Tensor, r spec.Recipe) (*tensor.Tensor, error) {
		dt, err := dtype.Parse(r.DType)
		if err != nil {
			return nil, err
		}
		return t.Retype(dt)
	},
}

func asTensor(v any) (*tensor.Tensor, error) {
	switch v := v.(type) {
	case *tensor.Tensor:
		return v, nil
	case *HostArray:
		return v.Tensor, nil
	}
	return nil, spec.Refuse(spec.InvalidArgument, "a %T is no tensor", v)
}

func (s *Subject) newTensor(r spec.Recipe) (any, error) {
	device, err := s.device(r.Device)
	if err != nil {
		return nil, err
	}
	if r.Host && device != nil {
		return nil, spec.Refuse(spec.InvalidArgument, "a host array on %s: it lies on the host", r.Device)
	}
	dt, err := dtype.Parse(r.DType)
	if err != nil {
		return nil, spec.Refuse(spec.Unsupported, "%v", err)
	}
	t, err := tensor.New(dt, r.Shape...)
	if err != nil {
		return nil, err
	}
	b := t.Storage().Bytes()
	switch {
	case r.Raw == nil:
		copy(b, fill.Bytes(r.DType, r.Seed, t.NumElements()))
	case len(r.Raw) != len(b):
		return nil, spec.Refuse(spec.InvalidArgument, "%d bytes for a %s%v, want %d", len(r.Raw), r.DType, r.Shape, len(b))
	default:
		copy(b, r.Raw)
	}
	if device != nil {
		if t, err = t.CopyOn(device); err != nil {
			return nil, err
		}
	}
	s.census.add(t.Storage(), r.Tag)
	if r.Host {
		return &HostArray{Tensor: t}, nil
	}
	return t, nil
}

// device is what allocates on a device: nil for the host.
func (s *Subject) device(name string) (tensor.Allocator, error) {
	if name == "" || name == string(tensor.CPU) {
		return nil, nil
	}
	for _, d := range s.parts.Devices {
		if string(d.Device()) == name {
			return d, nil
		}
	}
	return nil, spec.Refuse(spec.Unsupported, "no device %q", name)
}

// borrow wraps memory that something else owns.
func (s *Subject) borrow(r spec.Recipe) (any, error) {
	start, length := r.Axes[0], r.Axes[1]
	if length < 0 || length > largest {
		return nil, spec.Refuse(spec.InvalidArgument, "borrow %d bytes, want 0 to %d", length, largest)
	}
	switch r.Text {
	case "export":
		t, err := onHost(r.From[0])
		if err != nil {
			return nil, err
		}
		return &HostArray{Tensor: t}, nil
	case "buffer":
		text := string(make([]byte, length))
		t, err := bytesOf(tensor.WrapBytes(unsafe.Slice(unsafe.StringData(text), length)))
		if err != nil {
			return nil, err
		}
		return &HostArray{t, true}, nil
	case "part-of-array":
		t, err := onHost(r.From[0])
		if err != nil {
			return nil, err
		}
		b := t.Storage().Bytes()
		if start < 0 || start > len(b) || length > len(b)-start {
			return nil, spec.Refuse(spec.InvalidArgument, "%d bytes from %d on, of %d", length, start, len(b))
		}
		return bytesOf(tensor.WrapBytes(b[start : start+length : start+length]))
	case "mapped-file":
		return mapped(length)
	}
	return nil, spec.Refuse(spec.Unsupported, "borrow: %q", r.Text)
}

// onHost is a tensor whose memory the host can lend.
func onHost(v spec.Value) (*tensor.Tensor, error) {
	t, err := asTensor(Content(v))
	if err == nil && !t.Storage().Addressable() {
		return nil, spec.Refuse(spec.Unsupported, "borrow memory of %v: it is not the host's", t)
	}
	return t, err
}

// largest is how many bytes can be borrowed: more than any spec asks for, and less than a Go process dies of.
const largest = 1 << 34

// bytesOf is a storage as one row of bytes.
func bytesOf(st *tensor.Storage) (*tensor.Tensor, error) {
	return tensor.Of(st, dtype.UInt8, []int{st.Len()}, []int{1}, 0)
}
