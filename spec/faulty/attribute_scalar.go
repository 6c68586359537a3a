package faulty

import (
	"math"
	"strconv"
	"strings"
)

// carriedScalars holds faults of a boolean, an integer, a float or a text that
// is carried in an attribute.
func carriedScalars() []Fault {
	scalar := func(name string, as func(before, v any) any) Fault {
		return Fault{Name: name, Breaks: []string{"ATT-01.scalar"}, Parts: holdsAs(as)}
	}
	real := func(name string, change func(*float)) Fault {
		return scalar(name, func(_, v any) any {
			if x, is := v.(float64); is {
				return math.Float64frombits(changedFloat(math.Float64bits(x), 64, 52, change))
			}
			return v
		})
	}
	return []Fault{
		scalar("keeps false as the number zero", func(_, v any) any {
			if v == false {
				return int64(0)
			}
			return v
		}),
		scalar("takes false for nothing", func(_, v any) any {
			if v == false {
				return nil
			}
			return v
		}),
		scalar("keeps the number one as true", func(_, v any) any {
			if v == int64(1) {
				return true
			}
			return v
		}),
		scalar("keeps integers in 32 bits", func(_, v any) any {
			if n, is := v.(int64); is {
				return int64(int32(n))
			}
			return v
		}),
		scalar("keeps an integer as a float", func(_, v any) any {
			if n, is := v.(int64); is {
				return asFloat(n)
			}
			return v
		}),
		scalar("keeps a whole float as an integer", func(_, v any) any {
			if x, is := v.(float64); is && x == math.Trunc(x) && math.Abs(x) < 1<<53 && x != 0 {
				return int64(x)
			}
			return v
		}),
		real("drops the sign of a float that is zero", func(f *float) {
			if f.exponent == 0 && f.mantissa == 0 {
				f.sign = 0
			}
		}),
		real("drops the payload of a float that is NaN", func(f *float) {
			if f.nan() {
				f.mantissa = 1 << (f.width - 1)
			}
		}),
		real("flushes a subnormal float to zero", func(f *float) {
			if f.exponent == 0 {
				f.mantissa = 0
			}
		}),
		real("clips infinity to the largest float", func(f *float) {
			if f.exponent == 1<<f.exponentWidth-1 && f.mantissa == 0 {
				f.exponent, f.mantissa = f.exponent-1, 1<<f.width-1
			}
		}),
		scalar("keeps a text of digits as a number", func(_, v any) any {
			if text, is := v.(string); is {
				if n, err := strconv.ParseInt(text, 10, 64); err == nil {
					return n
				}
			}
			return v
		}),
		scalar("trims a text", func(_, v any) any {
			if text, is := v.(string); is {
				return strings.TrimSpace(text)
			}
			return v
		}),
		scalar("takes an empty text for nothing", func(_, v any) any {
			if v == "" {
				return nil
			}
			return v
		}),
		scalar("keeps the ASCII of a text", func(_, v any) any {
			if text, is := v.(string); is {
				return strings.Map(func(r rune) rune { return min(r, 0x7f) }, text)
			}
			return v
		}),
		scalar("keeps the kind of the number that was there", func(before, v any) any {
			_, number := before.(int64)
			if text, is := v.(string); is && number {
				if n, err := strconv.ParseInt(text, 10, 64); err == nil {
					return n
				}
			}
			return v
		}),
		scalar("takes nothing for a zero where nothing was", func(before, v any) any {
			if v == nil && before == nil {
				return int64(0)
			}
			return v
		}),
	}
}

// asFloat is an integer after it was a float.
func asFloat(n int64) int64 {
	if x := float64(n); x < 1<<63 {
		return int64(x)
	}
	return math.MaxInt64 &^ 1
}
