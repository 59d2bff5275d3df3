package preset_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/preset"
	"github.com/ringuid/ringuid/worker"
)

// Twitter's node 42 is worker 10 of datacenter 1.
func ExampleSplit() {
	twitter := preset.Split{5, 5} // datacenter, worker
	id, err := twitter.Join(1, 10)
	fmt.Println(id, err)
	parts, err := twitter.Parts(42)
	fmt.Println(parts, err)
	_, err = twitter.Join(32, 0)
	fmt.Println(err)
	// Output:
	// 42 <nil>
	// [1 10] <nil>
	// worker: worker id out of range: part 1 of the worker id is 32: its 5 bits hold 0 to 31
}

func TestASplitOrdersAsItsPartsDo(t *testing.T) {
	s := preset.Split{2, 3, 1}
	next := int64(0)
	for a := range int64(4) {
		for b := range int64(8) {
			for c := range int64(2) {
				id, err := s.Join(a, b, c)
				require.NoError(t, err)
				require.Equal(t, next, id)
				next++
			}
		}
	}
}

func TestWhatASplitCannotHoldIsAnErrorThatNamesThePart(t *testing.T) {
	join := func(s preset.Split, parts ...int64) error { _, err := s.Join(parts...); return err }
	apart := func(s preset.Split, id int64) error { _, err := s.Parts(id); return err }
	for name, c := range map[string]struct {
		err  error
		says string
	}{
		"first part too large": {join(preset.Split{5, 5}, 32, 0),
			"part 1 of the worker id is 32: its 5 bits hold 0 to 31"},
		"second part too large": {join(preset.Split{5, 5}, 0, 32), "part 2 of the worker id is 32"},
		"negative part":         {join(preset.Split{5, 5}, 0, -1), "part 2 of the worker id is -1"},
		"a part without bits": {join(preset.Split{0, 5}, 1, 1),
			"part 1 of the worker id is 1: its 0 bits hold 0 to 0"},
		"too few parts": {join(preset.Split{5, 5}, 1),
			"1 parts of a worker id: the split [5 5] has 2"},
		"too many parts": {join(preset.Split{5, 5}, 1, 2, 3), "3 parts"},
		"negative bits": {join(preset.Split{-1, 5}, 0, 0),
			"part 1 of the split [-1 5] has -1 bits"},
		"too many bits": {join(preset.Split{60, 3}, 0, 0),
			"part 2 of the split [60 3] has 3 bits: set it to 0 to 2"},
		"bits beyond an int": {join(preset.Split{math.MaxInt, math.MaxInt}, 0, 0),
			"part 1 of the split"},
		"worker id too large": {apart(preset.Split{5, 5}, 1024),
			"worker id 1024: the 10 bits of the split [5 5] hold 0 to 1023"},
		"negative worker id":     {apart(preset.Split{5, 5}, -1), "worker id -1"},
		"apart by negative bits": {apart(preset.Split{5, -5}, 1), "part 2 of the split"},
	} {
		t.Run(name, func(t *testing.T) {
			require.ErrorIs(t, c.err, worker.ErrIDRange)
			assert.ErrorContains(t, c.err, c.says)
		})
	}
}
