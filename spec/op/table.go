package op

import "github.com/statespec/statespec/spec"

// A Receiver is a kind of thing that an operation is called on, or makes.
type Receiver string

const (
	OnSubject Receiver = "subject"
	OnManager Receiver = "manager"
	OnSession Receiver = "session"
	OnObject  Receiver = "object"
	OnValue   Receiver = "value"
	OnModel   Receiver = "model"
	OnState   Receiver = "state"
	OnAny     Receiver = "handle" // whatever is held
	OnStream  Receiver = "stream" // a driver's own; see Stream
)

// A Row is one operation of the port.
type Row struct {
	Method  string
	On      Receiver
	Params  []Param
	Makes   Receiver        // what As names; empty when nothing is made
	MayNone bool            // the result may be nothing instead
	Result  string          // the field of Result that is filled in; empty for none
	Needs   spec.Capability // the capability that it belongs to; empty for none
	Floor   spec.Layer      // the layer that cannot be without it; empty for none
	Doc     string          // one line: what it does

	serve func(*call) error
}

// A Param is a field of Params that an operation takes.
type Param struct {
	Name     string // as in JSON
	Required bool
}

func need(names ...string) (ps []Param) {
	for _, n := range names {
		ps = append(ps, Param{n, true})
	}
	return ps
}

func may(ps []Param, names ...string) []Param {
	for _, n := range names {
		ps = append(ps, Param{n, false})
	}
	return ps
}

// Table lists every operation of the port, in the order of the protocol
// document. It is the one source of the messages: the dispatcher serves from it,
// the client is checked against it, and schemas and documents are derived from
// it.
func Table() []Row { return table[:] }

var table = [...]Row{
	{Method: "hello", On: OnSubject, Result: "hello", Doc: "who the subject is, what it claims, how it behaves", serve: hello},
	{Method: "resolve", On: OnSubject, Params: need("config"), Result: "resolution", Doc: "what this process would do with a configuration", serve: resolve},
	{Method: "new_manager", On: OnSubject, Params: need("as", "manager_spec"), Makes: OnManager, Doc: "make an empty manager", serve: newManager},
	{Method: "new_object", On: OnSubject, Params: may(need("as", "object_spec"), "object"), Makes: OnObject, Doc: "make a state object that is in no session", serve: newObject},
	{Method: "new_model", On: OnSubject, Params: may(need("as", "model_spec"), "manager"), Makes: OnModel, Doc: "make a model's stores of state, on one path", serve: newModel},
	{Method: "make", On: OnSubject, Params: may(need("as", "recipe"), "from", "object"), Makes: OnValue, Doc: "make a value inside the subject", serve: makeValue},
	{Method: "memory", On: OnSubject, Result: "memory", Needs: spec.CanCollect, Doc: "collect, and say which tracked storages live", serve: memory},
	{Method: "race", On: OnSubject, Params: need("threads"), Result: "events", Needs: spec.CanRace, Doc: "run lists of calls on threads of their own, released at once; one list alone, which is a stopwatch, needs no threads", serve: race},

	{Method: "session", On: OnManager, Floor: spec.LayerManager, Params: may(need("on", "as"), "session"), Makes: OnSession, Doc: "the session of an id, made when it is not retained", serve: session},
	{Method: "continue", On: OnManager, Params: need("on", "as", "session"), Makes: OnSession, Needs: spec.CanContinue, Doc: "the session of an id, refused when it is not retained", serve: continueSession},
	{Method: "contains", On: OnManager, Params: need("on", "session"), Result: "is", Doc: "whether an id is retained", serve: contains},
	{Method: "stats", On: OnManager, Floor: spec.LayerManager, Params: need("on"), Result: "stats", Doc: "the manager's statistics", serve: stats},
	{Method: "drop", On: OnManager, Params: need("on", "session"), Result: "is", Needs: spec.CanDrop, Doc: "end a session, and say whether it was retained", serve: drop},
	{Method: "raise_cap", On: OnManager, Params: need("on", "cap"), Result: "is", Needs: spec.CanRaiseCap, Doc: "raise the cap, and say whether it changed", serve: raiseCap},
	{Method: "free", On: OnManager, Params: need("on", "device", "bytes"), Result: "freed", Needs: spec.CanPlan, Doc: "give a device so many bytes back, or as many as nothing is lost by", serve: free},

	{Method: "object", On: OnSession, Params: need("on", "as", "name"), Makes: OnObject, Doc: "the object of a name", serve: object},
	{Method: "ensure", On: OnSession, Params: may(need("on", "as", "name", "object_spec"), "object"), Makes: OnObject, Doc: "the object of a name, built when absent, not resident or of another kind", serve: ensure},
	{Method: "put", On: OnSession, Params: need("on", "name", "object"), Doc: "store an object under a name", serve: put},
	{Method: "attr", On: OnSession, Params: need("on", "as", "name"), Makes: OnValue, MayNone: true, Doc: "read an attribute", serve: attr},
	{Method: "set_attr", On: OnSession, Params: may(need("on", "name"), "values"), Doc: "write an attribute wholesale; without a value, clear it", serve: setAttr},
	{Method: "contents", On: OnSession, Params: need("on"), Result: "contents", Doc: "the names in both buckets", serve: contents},
	{Method: "reset", On: OnSession, Params: need("on"), Doc: "reset every object and clear every attribute", serve: resetSession},
	{Method: "park", On: OnSession, Params: need("on", "name"), Result: "int", Needs: spec.CanPark, Doc: "move what an object or attribute holds to the host, and say the bytes moved", serve: park},
	{Method: "unpark", On: OnSession, Params: need("on", "name"), Result: "int", Needs: spec.CanPark, Doc: "move it back to where it was, and say the bytes moved", serve: unpark},

	{Method: "allocate", On: OnObject, Params: need("on", "bound"), Doc: "make the object usable and empty", serve: allocate},
	{Method: "commit", On: OnObject, Params: may(need("on"), "values"), Doc: "store payloads in order; none promotes what is staged", serve: commit},
	{Method: "stage", On: OnObject, Params: need("on", "values"), Needs: spec.CanStage, Doc: "keep a payload aside", serve: stage},
	{Method: "discard", On: OnObject, Params: need("on"), Needs: spec.CanStage, Doc: "drop what is staged", serve: discard},
	{Method: "view", On: OnObject, Params: need("on", "as", "view"), Makes: OnValue, MayNone: true, Doc: "what is committed", serve: view},
	{Method: "evict", On: OnObject, Params: need("on"), Result: "int", Doc: "release the storage, and say the bytes freed", serve: evict},
	{Method: "reset", On: OnObject, Params: need("on"), Doc: "return to the unallocated state", serve: resetObject},
	{Method: "state", On: OnObject, Params: need("on"), Result: "state", Doc: "look without touching", serve: state},

	{Method: "read", On: OnValue, Params: need("on"), Result: "reading", Doc: "the content, bit for bit", serve: read},
	{Method: "edit", On: OnValue, Params: may(need("on", "edit"), "values"), Doc: "change the thing itself", serve: edit},

	{Method: "path", On: OnModel, Floor: spec.LayerAdapter, Params: need("on"), Result: "text", Doc: "the path that the model took", serve: path},
	{Method: "open", On: OnModel, Floor: spec.LayerAdapter, Params: may(need("on", "as"), "session"), Makes: OnState, Doc: "find or make a session's state", serve: open},
	{Method: "end", On: OnModel, Params: need("on", "session"), Doc: "the model's close hook", serve: end},
	{Method: "do", On: OnState, Params: may(need("on", "as", "step"), "named"), Makes: OnValue, MayNone: true, Doc: "one step of the model's vocabulary", serve: do},

	{Method: "release", On: OnAny, Params: need("on"), Doc: "let go of a handle", serve: release},
}
