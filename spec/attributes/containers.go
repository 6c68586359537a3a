package attributes

import (
	. "github.com/onsi/ginkgo/v2"

	"github.com/statespec/statespec/spec"
	"github.com/statespec/statespec/spec/op"
	. "github.com/statespec/statespec/spec/suite"
)

func containers(open Open) {
	DescribeTable("keep", Promise("ATT-01.container"), func(ctx SpecContext, kind spec.ValueKind, recipe func(*op.Client) spec.Recipe) {
		s := open.Subject(ctx)
		canHold(s, kind)
		v := Must(s.Make(recipe(s)))
		if made := Bits(v).Kind; made != kind {
			CannotTell("make: the subject made a %s, want a %s", made, kind)
		}
		carries(s, v)
	},
		Entry("a list, with its order", spec.KindList, func(s *op.Client) spec.Recipe {
			p := pair(s)
			return spec.List(p[1], p[0], p[1])
		}),
		Entry("an empty list", spec.KindList, func(*op.Client) spec.Recipe { return spec.List() }),
		Entry("a cache of 24 entries, some of them empty", spec.KindList, featureMap),
		Entry("a list in lists", spec.KindList, func(s *op.Client) spec.Recipe {
			return spec.Nest(5, pair(s)[0])
		}),
		Entry("a tuple", spec.KindTuple, func(s *op.Client) spec.Recipe { return spec.Tuple(pair(s)...) }),
		Entry("a map", spec.KindMap, func(s *op.Client) spec.Recipe {
			k, p := values(s, spec.Text("positive"), spec.Text("negative")), pair(s)
			return spec.Map(k[0], p[0], k[1], p[1])
		}),
		Entry("a map of integers, which are no texts", spec.KindMap, func(s *op.Client) spec.Recipe {
			k := values(s, spec.Int(1), spec.Int(2))
			return spec.Map(k[0], k[1], k[1], k[0])
		}),
		Entry("a set", spec.KindSet, func(s *op.Client) spec.Recipe {
			return spec.Set(values(s, spec.Text("a"), spec.Text("b"), spec.Text("c"))...)
		}),
		Entry("a record", spec.KindRecord, func(s *op.Client) spec.Recipe {
			return spec.Struct([]string{"key", "value"}, pair(s)...)
		}),
		Entry("an object of a class", spec.KindInstance, func(s *op.Client) spec.Recipe {
			return spec.Instance([]string{"key", "value"}, pair(s)...)
		}),
		Entry("containers in containers", spec.KindList, func(s *op.Client) spec.Recipe {
			p := pair(s)
			in := values(s, spec.List(p...), spec.Text("3"), spec.Nothing(), spec.Int(3), spec.Bool(true))
			return spec.List(append(in, Must(s.Make(spec.Map(in[1], in[0]))))...)
		}),
	)

	It("take the kind and length of the container that was assigned last", Promise("ATT-01.container"), func(ctx SpecContext) {
		s := open.Subject(ctx)
		canHold(s, spec.KindList)
		p := pair(s)
		carries(s, values(s, spec.List(p[0], p[1], p[0]), spec.List(p[1]), spec.List(), spec.List(p...))...)
	})
}

// featureMap is a list like the encoder's cache: entries are found by position,
// and may be a tensor, a text or nothing.
func featureMap(s *op.Client) spec.Recipe {
	GinkgoHelper()
	vs := make([]spec.Value, 24)
	for i := range vs {
		switch {
		case i%5 == 3:
			vs[i] = Must(s.Make(spec.Nothing()))
		case i%5 == 4:
			vs[i] = Must(s.Make(spec.Text("Rep")))
		default:
			vs[i] = Must(s.Make(spec.Tensor("bfloat16", uint64(i+1), 1, 2, i+1)))
		}
	}
	return spec.List(vs...)
}
