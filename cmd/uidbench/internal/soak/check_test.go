package soak

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/uid"
)

// logsOf writes logs of these ids.
func logsOf(t testing.TB, dir string, contents ...[]uid.ID) (logs []logFile) {
	for i, ids := range contents {
		l := logFile{name: fmt.Sprintf("process-%d.1", i), path: filepath.Join(dir, fmt.Sprint(i))}
		require.NoError(t, writeIDs(l.path, ids))
		logs = append(logs, l)
	}
	return logs
}

func writeIDs(path string, ids []uid.ID) error {
	var b []byte
	for _, id := range ids {
		b = appendID(b, id)
	}
	return os.WriteFile(path, b, 0o600)
}

func TestCheckFindsWhatWasPlanted(t *testing.T) {
	for _, c := range []struct {
		name                        string
		logs                        [][]uid.ID
		ids, duplicates, violations int64
	}{
		{"nothing at all", nil, 0, 0, 0},
		{"an empty log", [][]uid.ID{{}}, 0, 0, 0},
		{"the least id", [][]uid.ID{{0}}, 1, 0, 0},
		{"good ones", [][]uid.ID{{1, 4, 9}, {2, 3, 5}, {6}}, 7, 0, 0},
		{"two processes with one id", [][]uid.ID{{1, 4, 9}, {2, 4, 5}}, 6, 1, 0},
		{"three of them", [][]uid.ID{{4}, {4}, {4}}, 3, 2, 0},
		{"one process, the same id again", [][]uid.ID{{1, 2, 2, 3}}, 4, 1, 1},
		{"out of order", [][]uid.ID{{1, 3, 2, 4}}, 4, 0, 1},
		{"out of order, and a duplicate of another", [][]uid.ID{{5, 3, 1, 6}, {3}}, 5, 1, 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			f, err := checkLogs(logsOf(t, dir, c.logs...), layout)
			require.NoError(t, err)
			assert.Equal(t, []int64{c.ids, c.duplicates, c.violations},
				[]int64{f.IDs, f.Duplicates, f.OutOfOrder})
			if c.duplicates > 0 {
				assert.ErrorIs(t, verdict(f), ErrDuplicate)
			}
			if c.violations > 0 {
				assert.ErrorIs(t, verdict(f), ErrOrder)
			}
			if c.duplicates+c.violations == 0 {
				assert.NoError(t, verdict(f))
			}
		})
	}
}

func TestCheckSaysWhoHasTheDuplicate(t *testing.T) {
	dir := t.TempDir()
	f, err := checkLogs(logsOf(t, dir, []uid.ID{1, 7}, []uid.ID{2}, []uid.ID{7, 8}), layout)
	require.NoError(t, err)
	require.ErrorContains(t, verdict(f), "the first: 7 at process-0.1:2 and process-2.1:1")
}

func TestCheckIgnoresHalfAnID(t *testing.T) {
	dir := t.TempDir()
	logs := logsOf(t, dir, []uid.ID{1, 2})
	require.NoError(t, os.Truncate(logs[0].path, lineBytes+13))
	f, err := checkLogs(logs, layout)
	require.NoError(t, err)
	assert.EqualValues(t, 1, f.IDs)
}

func TestCheckOfALogThatIsGone(t *testing.T) {
	_, err := checkLogs([]logFile{{"a", filepath.Join(t.TempDir(), "gone")}}, layout)
	assert.ErrorIs(t, err, os.ErrNotExist)
}
