package pickle

import "fmt"

// A Host knows what lies outside a pickle.
type Host interface {
	// Global says why a name may not stand in the pickle, or nil.
	Global(g Global) error
	// Call is the value of a global's call.
	Call(g Global, args []Value) (Value, error)
	// Persistent is the value of a persistent id.
	Persistent(id Value) (Value, error)
}

// An Error is what is wrong with a pickle, and where.
type Error struct {
	At  int
	Op  string // its opcode, "" at the end
	Why string
}

func (e *Error) Error() string {
	if e.Op == "" {
		return fmt.Sprintf("pickle: at byte %d: %s", e.At, e.Why)
	}
	return fmt.Sprintf("pickle: at byte %d: %s: %s", e.At, e.Op, e.Why)
}

// containers is the most dictionaries, lists and tuples of a pickle: one costs a
// byte in the pickle and a hundred in memory.
const containers = 1 << 20

// Load reads a pickle to its end, which has to be that of the data. Its error is
// an *Error.
func Load(data []byte, h Host) (Value, error) {
	m := &machine{data: data, host: h, memo: map[uint32]Value{}}
	for {
		m.op, m.name = m.at, ""
		if m.at == len(data) {
			return nil, m.wrong("the pickle ends without a STOP")
		}
		code := data[m.at]
		m.at++
		step, known := opcodes[code]
		if !known {
			return nil, m.wrong("opcode 0x%02x%s, which is not read", code, refused[code])
		}
		m.name = step.name
		if err := step.do(m); err != nil {
			return nil, m.located(err)
		}
		if code == stop {
			return m.end()
		}
	}
}

// machine is the state of a reading.
type machine struct {
	data  []byte
	at    int
	op    int // where the current opcode is
	name  string
	host  Host
	stack []Value
	marks []int // heights of the stack
	memo  map[uint32]Value
	made  int
}

func (m *machine) wrong(format string, args ...any) error {
	return &Error{m.op, m.name, fmt.Sprintf(format, args...)}
}

func (m *machine) located(err error) error {
	if _, ok := err.(*Error); ok {
		return err
	}
	return m.wrong("%v", err)
}

func (m *machine) end() (Value, error) {
	if m.at != len(m.data) {
		return nil, m.wrong("%d bytes after the end", len(m.data)-m.at)
	}
	if len(m.stack) != 1 || len(m.marks) != 0 {
		return nil, m.wrong("%d values and %d marks at the end, want one value", len(m.stack), len(m.marks))
	}
	return m.stack[0], nil
}

func (m *machine) push(v Value) error {
	m.stack = append(m.stack, v)
	return nil
}

// container counts what is made, and pushes it.
func (m *machine) container(v Value) error {
	if m.made++; m.made > containers {
		return m.wrong("more than %d containers", containers)
	}
	return m.push(v)
}

// floor is the height that a value may not be taken below.
func (m *machine) floor() int {
	if len(m.marks) == 0 {
		return 0
	}
	return m.marks[len(m.marks)-1]
}

func (m *machine) pop() (Value, error) {
	if len(m.stack) <= m.floor() {
		return nil, m.wrong("the stack is empty")
	}
	v := m.stack[len(m.stack)-1]
	m.stack = m.stack[:len(m.stack)-1]
	return v, nil
}

func (m *machine) top() (Value, error) {
	v, err := m.pop()
	if err != nil {
		return nil, err
	}
	return v, m.push(v)
}

// popMark takes what lies above the last mark, in a slice of its own.
func (m *machine) popMark() ([]Value, error) {
	if len(m.marks) == 0 {
		return nil, m.wrong("there is no mark")
	}
	from := m.floor()
	items := append([]Value(nil), m.stack[from:]...)
	m.stack, m.marks = m.stack[:from], m.marks[:len(m.marks)-1]
	return items, nil
}

// take returns the next n bytes of the pickle.
func (m *machine) take(n uint64) ([]byte, error) {
	if n > uint64(len(m.data)-m.at) {
		return nil, m.wrong("%d bytes claimed, %d left", n, len(m.data)-m.at)
	}
	b := m.data[m.at : m.at+int(n)]
	m.at += int(n)
	return b, nil
}

// number reads a little-endian number of some bytes.
func (m *machine) number(bytes int) (uint64, error) {
	b, err := m.take(uint64(bytes))
	var n uint64
	for i := len(b) - 1; i >= 0; i-- {
		n = n<<8 | uint64(b[i])
	}
	return n, err
}
