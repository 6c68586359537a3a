package regress

import (
	"encoding/json"
	"fmt"
	"math"
)

// A Number is a measurement or what is made of some. What is not finite is null in
// JSON: an interval of too few runs has no ends, and nothing is a ratio to zero.
type Number float64

// MarshalJSON writes null for what is not finite.
func (n Number) MarshalJSON() ([]byte, error) {
	if !n.finite() {
		return []byte("null"), nil
	}
	return json.Marshal(float64(n))
}

// UnmarshalJSON reads null as NaN.
func (n *Number) UnmarshalJSON(b []byte) error {
	if string(b) == "null" {
		*n = Number(math.NaN())
		return nil
	}
	return json.Unmarshal(b, (*float64)(n))
}

func (n Number) finite() bool { return !math.IsNaN(float64(n)) && !math.IsInf(float64(n), 0) }

// enormous is a change in percent whose digits nobody counts: it has an exponent.
const enormous = 1e6

// percent is a ratio as a change: 1.05 is +5.00%.
func percent(ratio Number) string {
	if !ratio.finite() {
		return "?"
	}
	change := 100 * (float64(ratio) - 1)
	if change >= enormous {
		return fmt.Sprintf("%+.2g%%", change)
	}
	return fmt.Sprintf("%+.2f%%", change)
}

// share is a part of one: 0.05 is 5%.
func share(part float64) string { return fmt.Sprintf("%.4g%%", 100*part) }
