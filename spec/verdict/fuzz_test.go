package verdict_test

import (
	"testing"

	"github.com/statespec/statespec/spec/verdict"
)

// FuzzParseShard holds for every text: a shard that is read lies within its
// number of shards, and is read again from what it prints as.
func FuzzParseShard(f *testing.F) {
	for _, text := range []string{"", "1/1", "2/8", "+1/2", "01/02", "0/2", "3/2", "1/", "/1", "1/2/3", " 1/2", "-1/-1", "9223372036854775807/9223372036854775807", "1e1/2", "١/٢"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		s, err := verdict.ParseShard(text)
		if err != nil {
			if s != (verdict.Shard{}) {
				t.Errorf("ParseShard(%q) = %v with error %v, want no shard", text, s, err)
			}
			return
		}
		if text != "" && (s.Index < 1 || s.Index > s.Of) {
			t.Errorf("ParseShard(%q) = %v, want an index from 1 to %d", text, s, s.Of)
		}
		if again, err := verdict.ParseShard(s.String()); err != nil || again != s {
			t.Errorf("ParseShard(%q) = %v, %v, want %v as of %q", s, again, err, s, text)
		}
	})
}
