package paired

import (
	"math/rand/v2"
	"slices"
)

// orders are the orders in which variants have their turns, round by round. Who is
// first, or behind a certain other, pays or saves something: in as many rounds as there
// are variants each is once at each place, and behind each other once, or twice in twice
// as many where their number is odd (Williams' squares). Who has which part in a square
// is by chance, always the same.
type orders struct {
	of     int // variants
	random *rand.Rand
	left   [][]int // of a square
}

func newOrders(of int) *orders { return &orders{of: of, random: rand.New(rand.NewPCG(1, 1))} }

// next is the order of the next round.
func (o *orders) next() []int {
	if len(o.left) == 0 {
		o.left = o.square()
	}
	order := o.left[0]
	o.left = o.left[1:]
	return order
}

// square is 0, n-1, 1, n-2 and so on, shifted by each number below n: no two stand beside
// each other twice in that order. Where n is odd some never do, and the square is
// followed by its mirror.
func (o *orders) square() (rows [][]int) {
	who := o.random.Perm(o.of)
	for shift := range o.of {
		row := make([]int, o.of)
		for place := range row {
			part := place / 2
			if place%2 == 1 {
				part = o.of - (place+1)/2
			}
			row[place] = who[(part+shift)%o.of]
		}
		rows = append(rows, row)
	}
	o.shuffle(rows)
	if o.of%2 == 1 {
		mirror := make([][]int, o.of)
		for i, row := range rows {
			mirror[i] = slices.Clone(row)
			slices.Reverse(mirror[i])
		}
		o.shuffle(mirror)
		rows = append(rows, mirror...)
	}
	return rows
}

func (o *orders) shuffle(rows [][]int) {
	o.random.Shuffle(len(rows), func(i, j int) { rows[i], rows[j] = rows[j], rows[i] })
}
