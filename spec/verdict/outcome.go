package verdict

// An Outcome is the result of one spec, as the worker streamed it.
type Outcome struct {
	Spec      string   `json:"spec"`                // full text: "Eviction leaves a holder with all it had"
	Row       string   `json:"row"`                 // the one ID that it asks: "EVI-05", "ACC-11.set"
	Outcome   Word     `json:"outcome"`             // one of SpecWords
	Message   string   `json:"message,omitempty"`   // what was asked, what came, what was due
	Location  string   `json:"location,omitempty"`  // file:line within the repository
	Reproduce string   `json:"reproduce,omitempty"` // the command that runs this one again
	Requests  []string `json:"requests,omitempty"`  // what the subject was asked, the last 200
	Notes     []string `json:"notes,omitempty"`     // "412 of 600 calls overlapped"
	Output    string   `json:"output,omitempty"`    // the end of the worker's output, for a crash or a hang
	Artefacts []string `json:"artefacts,omitempty"` // files that were kept, within the results' folder
	Seconds   float64  `json:"seconds"`
}
