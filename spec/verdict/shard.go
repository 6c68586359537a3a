package verdict

import (
	"fmt"
	"strconv"
	"strings"
)

// A Shard is one part of a run that is split over several machines. The zero
// Shard is the whole run.
type Shard struct {
	Index int // from 1
	Of    int
}

// ParseShard reads "2/8". The empty text is the whole run.
func ParseShard(text string) (Shard, error) {
	if text == "" {
		return Shard{}, nil
	}
	left, right, _ := strings.Cut(text, "/")
	index, err := strconv.Atoi(left)
	of, err2 := strconv.Atoi(right)
	if err != nil || err2 != nil || index < 1 || index > of {
		return Shard{}, fmt.Errorf("shard %q: want i/n with i from 1 to n, as in 2/8", text)
	}
	return Shard{index, of}, nil
}

// Whole says whether the shard is all there is.
func (s Shard) Whole() bool { return s.Of <= 1 }

func (s Shard) String() string {
	if s == (Shard{}) {
		return ""
	}
	return fmt.Sprintf("%d/%d", s.Index, s.Of)
}

// MarshalText writes the shard as String does.
func (s Shard) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText reads what MarshalText wrote.
func (s *Shard) UnmarshalText(text []byte) (err error) {
	*s, err = ParseShard(string(text))
	return err
}
