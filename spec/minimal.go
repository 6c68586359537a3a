package spec

// MinimalSubject answers Unsupported to what is behind a capability. An adapter
// embeds it and its siblings, and writes only what its subject can do.
type MinimalSubject struct{}

func (MinimalSubject) NewModel(ModelSpec) (Model, error) { return nil, unsupported("new_model") }
func (MinimalSubject) Memory() (Memory, error)           { return Memory{}, unsupported("memory") }
func (MinimalSubject) Close() error                      { return nil }

// MinimalManager is a manager without capabilities.
type MinimalManager struct{}

func (MinimalManager) Continue(string) (Session, error) { return nil, unsupported("continue") }
func (MinimalManager) Drop(string) (bool, error)        { return false, unsupported("drop") }
func (MinimalManager) RaiseCap(int) (bool, error)       { return false, unsupported("raise_cap") }

func (MinimalManager) Free(string, int64) ([]Freed, error) {
	return nil, unsupported("free")
}

// MinimalSession is a session that parks nothing.
type MinimalSession struct{}

func (MinimalSession) Park(string) (int64, error)   { return 0, unsupported("park") }
func (MinimalSession) Unpark(string) (int64, error) { return 0, unsupported("unpark") }

// MinimalObject is a state object without staging.
type MinimalObject struct{}

func (MinimalObject) Stage(Value) error { return unsupported("stage") }
func (MinimalObject) Discard() error    { return unsupported("discard") }

// MinimalModel is a model without a close hook.
type MinimalModel struct{}

func (MinimalModel) End(string) error { return unsupported("end") }

func unsupported(what string) error {
	return Refuse(Unsupported, "%s: not among the subject's capabilities", what)
}
