package rollout

// A Curve is what the served session held after each step, in bytes of storage:
// the one thing in which the two paths are meant to differ.
type Curve struct {
	Columns []string  `json:"columns"`
	Steps   [][]int64 `json:"steps"` // a row a step, a number a column
}

// Totals returns the bytes held in all, a number a step.
func (c Curve) Totals() []int64 { return c.Column(totalColumn) }

// Column returns one column; nil where there is none of that name.
func (c Curve) Column(name string) []int64 {
	for i, column := range c.Columns {
		if column != name {
			continue
		}
		list := make([]int64, len(c.Steps))
		for n, row := range c.Steps {
			list[n] = row[i]
		}
		return list
	}
	return nil
}

const (
	totalColumn = "total"
	peakColumn  = "vae_pending_body_frames.peak" // within the step, before a full chunk is encoded
)

func heldColumns() []string { return append(byteNames(), totalColumn, peakColumn) }

func (b Bytes) list() []int64 {
	row := make([]int64, 0, len(b.ByName)+2)
	for _, name := range byteNames() {
		row = append(row, b.ByName[name])
	}
	return append(row, b.Total, b.PendingPeak)
}
