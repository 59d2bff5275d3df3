package worker

import (
	"errors"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/internal/machine"
)

func TestStatic(t *testing.T) {
	for _, c := range []struct {
		name      string
		id, maxID int64
		err       []string // nil: assigned
	}{
		{"smallest", 0, 1023, nil},
		{"largest", 1023, 1023, nil},
		{"no worker bits", 0, 0, nil},
		{"one too many", 1024, 1023, []string{"1024", "0 to 1023", "more worker bits"}},
		{"far too large", math.MaxInt64, 1023, []string{"9223372036854775807", "1023"}},
		{"negative", -1, 1023, []string{"-1", "0 to 1023"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			lease, err := Static(c.id).Assign(t.Context(), Need{MaxID: c.maxID})
			if c.err != nil {
				assert.Nil(t, lease)
				require.ErrorIs(t, err, ErrIDRange)
				for _, word := range c.err {
					assert.ErrorContains(t, err, word)
				}
				return
			}
			require.NoError(t, err)
			assert.Equal(t, c.id, lease.WorkerID())
			assert.Equal(t, Unfenced, lease.Class())
			assertForever(t, lease)
		})
	}
}

func TestOrdinal(t *testing.T) {
	at := func(name string) Assigner {
		setMachine(t, machine.Machine{HostName: func() (string, error) { return name, nil }})
		return Ordinal(100)
	}
	for name, want := range map[string]int64{"web-0": 100, "web-3": 103} {
		l, err := at(name).Assign(t.Context(), Need{MaxID: 1023})
		require.NoError(t, err)
		assert.Equal(t, want, l.WorkerID())
		assert.Equal(t, Unfenced, l.Class())
	}
	for _, name := range []string{"web", "web-", "web-x", "3", "", "web-99999999999", "web-950",
		"web-0.web.shop.svc.cluster-1"} {
		_, err := at(name).Assign(t.Context(), Need{MaxID: 1023})
		assert.ErrorIs(t, err, ErrIDRange, name)
	}
	nameless := errors.New("nameless")
	setMachine(t, machine.Machine{HostName: func() (string, error) { return "", nameless }})
	_, err := Ordinal(0).Assign(t.Context(), Need{MaxID: 1023})
	assert.ErrorIs(t, err, nameless)
}

func TestFromEnv(t *testing.T) {
	t.Setenv("RINGUID_TEST_WORKER", " 42\n")
	l, err := FromEnv("RINGUID_TEST_WORKER").Assign(t.Context(), Need{MaxID: 1023})
	require.NoError(t, err)
	assert.EqualValues(t, 42, l.WorkerID())
	for _, text := range []string{"", "x", "-1", "1024", "1.5"} {
		t.Setenv("RINGUID_TEST_WORKER", text)
		_, err := FromEnv("RINGUID_TEST_WORKER").Assign(t.Context(), Need{MaxID: 1023})
		assert.ErrorIs(t, err, ErrIDRange, text)
	}
}
