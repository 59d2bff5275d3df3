package soak

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/cmd/ringuid/internal/idlog"
	"github.com/ringuid/ringuid/uid"
)

// logsOf writes logs of these ids.
func logsOf(t testing.TB, dir string, contents ...[]uid.ID) (logs []string) {
	for i, ids := range contents {
		var b []byte
		for _, id := range ids {
			b = appendID(b, id)
		}
		path := filepath.Join(dir, fmt.Sprintf("process-%d.1.ids", i))
		require.NoError(t, os.WriteFile(path, b, 0o600))
		logs = append(logs, path)
	}
	return logs
}

func TestTheVerdictOnLogs(t *testing.T) {
	for name, c := range map[string]struct {
		logs [][]uid.ID
		want []error
		text string
	}{
		"nothing at all": {nil, nil, ""},
		"an empty log":   {[][]uid.ID{{}}, nil, ""},
		"good ones":      {[][]uid.ID{{0, 4, 9}, {2, 3, 5}, {6}}, nil, ""},
		"two processes, one id": {[][]uid.ID{{1, 7}, {2}, {7, 8}}, []error{idlog.ErrDuplicate},
			"the first: 7 at process-2.1.ids:1, and before"},
		"one process, it again":    {[][]uid.ID{{1, 2, 2}}, []error{idlog.ErrDuplicate, ErrOrder}, ""},
		"one process, a step back": {[][]uid.ID{{1, 3, 2}}, []error{ErrOrder}, "1 of them"},
	} {
		t.Run(name, func(t *testing.T) {
			f, err := checkLogs(logsOf(t, t.TempDir(), c.logs...), layout)
			require.NoError(t, err)
			if len(c.want) == 0 {
				assert.NoError(t, verdict(f))
			}
			for _, want := range c.want {
				require.ErrorIs(t, verdict(f), want)
				assert.ErrorContains(t, verdict(f), c.text)
			}
		})
	}
}

func TestCheckIgnoresHalfAnID(t *testing.T) {
	dir := t.TempDir()
	logs := logsOf(t, dir, []uid.ID{1, 2})
	require.NoError(t, os.Truncate(logs[0], lineBytes+13))
	f, err := checkLogs(logs, layout)
	require.NoError(t, err)
	assert.EqualValues(t, 1, f.IDs)
}

func TestCheckOfALogThatIsGone(t *testing.T) {
	_, err := checkLogs([]string{filepath.Join(t.TempDir(), "gone")}, layout)
	assert.ErrorIs(t, err, os.ErrNotExist)
}

// A soak that was interrupted before the first id proves nothing.
func TestAReportWithoutIDs(t *testing.T) {
	var text strings.Builder
	Report{Interrupted: true}.WriteText(&text)
	assert.Contains(t, text.String(), "verified\tthere are no ids\n")
	assert.NotContains(t, text.String(), "new")
}
