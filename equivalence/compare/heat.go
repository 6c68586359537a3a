package compare

// heatSide is the most cells of a map in either direction.
const heatSide = 256

// A heat map counts differing elements in cells: a line of it is a run of indices
// of the first axis that has more than one, a column a run of what lies within an
// index. An array of one long axis is folded into lines.
type heat struct {
	line          int64 // elements of an index
	rows, columns int64 // indices, and elements of a line, of a cell
	down, across  int   // cells
	axis          int   // of the shape, -1: folded
	counts        []int64
}

func newHeat(shape []int64) *heat {
	h := &heat{line: 1, axis: -1}
	lines := int64(1)
	for i, d := range shape {
		if h.axis < 0 && d > 1 {
			h.axis, lines = i, d
			continue
		}
		h.line *= max(d, 1)
	}
	if h.line == 1 && lines > heatSide { // one long axis
		h.line = (lines + heatSide - 1) / heatSide
		lines, h.axis = (lines+h.line-1)/h.line, -1
	}
	h.rows, h.down = cells(lines)
	h.columns, h.across = cells(h.line)
	h.counts = make([]int64, h.down*h.across)
	return h
}

// cells splits n into at most heatSide runs.
func cells(n int64) (width int64, count int) {
	n = max(n, 1)
	width = (n + heatSide - 1) / heatSide
	return width, int((n + width - 1) / width)
}

// at is the cell of a place, and the place that ends its part of the line.
func (h *heat) at(place int64) (cell int, end int64) {
	index := place / h.line
	within := place - index*h.line
	column := within / h.columns
	end = index*h.line + min((column+1)*h.columns, h.line)
	return int(index/h.rows)*h.across + int(column), end
}
