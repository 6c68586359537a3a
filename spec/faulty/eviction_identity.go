package faulty

import (
	"fmt"
	"net/url"
	"path"
	"strconv"
	"strings"
	"sync/atomic"
	"unicode"

	"github.com/statespec/statespec/reference/subject"
	"github.com/statespec/statespec/spec"
)

// identities are faults of which ids are one session.
func identities() []Fault {
	return []Fault{
		{
			Name: "a missing id is not the default one", Breaks: []string{"EVI-12"},
			Parts: ruled(func(r *rules) { r.named = func(id string) string { return id } }),
		},
		asking("a missing id is a session of its own each time", func(n int64, ids []string) ([]string, error) {
			if len(ids) == 0 {
				ids = []string{fmt.Sprint("request ", n)}
			}
			return ids, nil
		}),
		asking("an empty id is not a missing one", func(_ int64, ids []string) ([]string, error) {
			if len(ids) == 1 && ids[0] == "" {
				ids = []string{"\x00"}
			}
			return ids, nil
		}),
		asking("refuses an empty id", func(_ int64, ids []string) ([]string, error) {
			if len(ids) == 1 && ids[0] == "" {
				return nil, refused("an empty id")
			}
			return ids, nil
		}),
		asking("refuses a request without an id", func(_ int64, ids []string) ([]string, error) {
			if len(ids) == 0 {
				return nil, refused("a request without an id")
			}
			return ids, nil
		}),

		folding("folds the case of ids", strings.ToLower),
		folding("trims ids", strings.TrimSpace),
		folding("cuts ids at a zero byte", func(id string) string { id, _, _ = strings.Cut(id, "\x00"); return id }),
		folding("cuts ids at 255 bytes", func(id string) string { return id[:min(len(id), 255)] }),
		folding("reads ids as numbers", func(id string) string {
			if n, err := strconv.ParseFloat(id, 64); err == nil {
				return strconv.FormatFloat(n, 'g', -1, 64)
			}
			return id
		}),
		folding("reads digits of any script", func(id string) string {
			return strings.Map(func(r rune) rune {
				for zero := r; unicode.IsDigit(r) && r > '9'; zero-- {
					if !unicode.IsDigit(zero - 1) {
						return '0' + (r-zero)%10
					}
				}
				return r
			}, id)
		}),
		folding("takes a text for no id", func(id string) string {
			switch id {
			case "None", "none", "null", "nil", "undefined":
				return ""
			}
			return id
		}),
		folding("takes zero for no id", func(id string) string {
			if id == "0" {
				return ""
			}
			return id
		}),
		folding("takes a blank id for no id", func(id string) string {
			if strings.TrimSpace(id) == "" {
				return ""
			}
			return id
		}),
		folding("composes accents", strings.NewReplacer("e\u0301", "\u00e9", "A\u030a", "\u00c5", "\u212b", "\u00c5").Replace),
		folding("drops accents", strings.NewReplacer("\u00e9", "e", "\u00c9", "E", "\u00c5", "A").Replace),
		folding("spells out ligatures", strings.NewReplacer("\ufb01", "fi", "\u00df", "ss").Replace),
		folding("narrows wide letters", strings.NewReplacer("\uff21", "A", "\uff11", "1").Replace),
		folding("drops what has no width", strings.NewReplacer("\u200b", "", "\ufeff", "").Replace),
		folding("decodes ids as parts of an address", func(id string) string {
			if plain, err := url.QueryUnescape(id); err == nil {
				return plain
			}
			return id
		}),
		folding("cleans ids as paths", func(id string) string {
			if id == "" {
				return ""
			}
			return path.Clean(id)
		}),
		folding("takes quotes off ids", func(id string) string { return strings.Trim(id, `"'`) }),
	}
}

// folding is a table that takes some ids for others.
func folding(name string, fold func(id string) string) Fault {
	return Fault{Name: name, Breaks: []string{"EVI-12.bytes"}, Parts: ruled(func(r *rules) {
		r.named = func(id string) string { return named(fold(id)) }
	})}
}

// asking is a manager that is asked for other ids: of the n-th request.
func asking(name string, as func(n int64, ids []string) ([]string, error)) Fault {
	return Fault{Name: name, Breaks: []string{"EVI-12"}, Parts: func() subject.Parts {
		return subject.Parts{Manager: func(_ *subject.Subject, m spec.Manager) spec.Manager { return &readdressed{Manager: m, as: as} }}
	}}
}

type readdressed struct {
	spec.Manager
	n  atomic.Int64
	as func(n int64, ids []string) ([]string, error)
}

func (r *readdressed) Session(ids ...string) (spec.Session, error) {
	ids, err := r.as(r.n.Add(1), ids)
	if err != nil {
		return nil, spec.Refuse(spec.InvalidArgument, "%v", err)
	}
	return r.Manager.Session(ids...)
}
