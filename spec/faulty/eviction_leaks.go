package faulty

import "github.com/statespec/statespec/reference/manager"

// leaks are faults of what becomes of an evicted session that nobody holds.
func leaks() []Fault {
	return []Fault{
		{
			Name: "keeps evicted sessions", Breaks: []string{"EVI-15"}, Follows: []string{"ATT-05"},
			Parts: ruled(func(r *rules) {
				var all []*manager.Session
				r.evicted = func(_ *table, s *manager.Session) { all = append(all, s) }
			}),
		}, {
			Name: "keeps the session evicted last", Breaks: []string{"EVI-15"},
			Parts: ruled(func(r *rules) {
				last := make([]*manager.Session, 1)
				r.evicted = func(_ *table, s *manager.Session) { last[0] = s }
			}),
		}, {
			Name: "keeps what was held when it was evicted", Breaks: []string{"EVI-15"},
			Parts: withHolders(func(r *rules, h *holders) {
				var all []*manager.Session
				r.evicted = func(_ *table, s *manager.Session) {
					if h.of(s) > 0 {
						all = append(all, s)
					}
				}
			}),
		}, {
			Name: "a hit leaves a holder behind", Breaks: []string{"EVI-15"},
			Parts: ruled(func(r *rules) {
				var all []*manager.Session
				r.used = func(t *table, at int) { all = append(all, t.order[at]); t.refresh(at) }
			}),
		}, {
			Name: "keeps attributes of evicted sessions", Breaks: []string{"EVI-15"}, Follows: []string{"ATT-05"},
			Parts: ruled(func(r *rules) {
				var all []any
				r.evicted = func(_ *table, s *manager.Session) {
					for _, name := range s.AttrNames() {
						v, _ := s.Attr(name)
						all = append(all, v)
					}
				}
			}),
		},
	}
}
