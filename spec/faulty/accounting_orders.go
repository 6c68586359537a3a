package faulty

// byteOrders holds faults of counts that depend on which alias is met first.
func byteOrders() []Fault {
	return []Fault{
		{
			Name: "counts a storage as large as the slice that is met first", Breaks: []string{"ACC-13"}, Follows: []string{"ACC-02", "ACC-03"},
			Parts: counting(func(ss []sight) []sight {
				first := map[any]int64{}
				for i := range ss {
					s := &ss[i]
					if s.array != nil || s.t == nil || !s.st.Owned() {
						continue
					}
					if _, met := first[s.st]; !met {
						first[s.st] = s.elements()
					}
					s.bytes = min(s.bytes, first[s.st])
				}
				return ss
			}),
		}, {
			Name: "counts a storage again when the third view of it is the largest", Breaks: []string{"ACC-13"},
			Parts: againWhen(func(s sight, before []sight) bool {
				return len(before) == 2 && s.elements() > before[0].elements() && s.elements() > before[1].elements()
			}),
		}, {
			Name: "counts a slice again that is assigned after the whole", Breaks: []string{"ACC-13"},
			Parts: againWhen(func(s sight, before []sight) bool {
				last := before[len(before)-1]
				return s.attribute() && last.attribute() && s.name != last.name && last.whole() && !s.whole()
			}),
		},
	}
}
