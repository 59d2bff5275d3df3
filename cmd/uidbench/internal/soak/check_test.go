package soak

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/ringuid/ringuid/uid"
)

// logsOf writes logs of these ids.
func logsOf(t rapid.TB, dir string, contents ...[]uid.ID) (logs []logFile) {
	for i, ids := range contents {
		l := logFile{name: fmt.Sprintf("process-%d.1", i), path: filepath.Join(dir, fmt.Sprint(i))}
		require.NoError(t, writeIDs(l.path, ids))
		logs = append(logs, l)
	}
	return logs
}

func writeIDs(path string, ids []uid.ID) error {
	b := make([]byte, 0, len(ids)*idBytes)
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
			f, err := checkLogs(logsOf(t, dir, c.logs...), dir)
			require.NoError(t, err)
			assert.Equal(t, []int64{c.ids, c.duplicates, c.violations}, []int64{f.ids, f.duplicates, f.orderViolations})
			assert.Len(t, f.first, int(min(c.duplicates, examples)))
			if c.duplicates > 0 {
				assert.ErrorIs(t, f.verdict(), ErrDuplicate)
			}
			if c.violations > 0 {
				assert.ErrorIs(t, f.verdict(), ErrOrder)
			}
			if c.duplicates+c.violations == 0 {
				assert.NoError(t, f.verdict())
			}
		})
	}
}

func TestCheckSaysWhoHasTheDuplicate(t *testing.T) {
	dir := t.TempDir()
	f, err := checkLogs(logsOf(t, dir, []uid.ID{1, 7}, []uid.ID{2}, []uid.ID{7, 8}), dir)
	require.NoError(t, err)
	require.Len(t, f.first, 1)
	assert.EqualValues(t, 7, f.first[0].ID)
	assert.ElementsMatch(t, []string{"process-0.1", "process-2.1"}, f.first[0].Logs[:])
}

func TestCheckIgnoresHalfAnID(t *testing.T) {
	dir := t.TempDir()
	logs := logsOf(t, dir, []uid.ID{1, 2})
	require.NoError(t, os.Truncate(logs[0].path, 13))
	f, err := checkLogs(logs, dir)
	require.NoError(t, err)
	assert.EqualValues(t, 1, f.ids)
}

func TestCheckOfALogThatIsGone(t *testing.T) {
	_, err := checkLogs([]logFile{{"a", filepath.Join(t.TempDir(), "gone")}}, t.TempDir())
	assert.ErrorIs(t, err, os.ErrNotExist)
}

// More ids than fit in the memory, and the duplicate lies across.
func TestCheckOfALongLogOutOfOrder(t *testing.T) {
	ids := make([]uid.ID, checkMemory/idBytes/3)
	for i := range ids {
		ids[i] = uid.ID(i)
	}
	rand.Shuffle(len(ids), func(i, j int) { ids[i], ids[j] = ids[j], ids[i] })
	ids[len(ids)-1] = ids[0]
	dir := t.TempDir()
	f, err := checkLogs(logsOf(t, dir, ids), dir)
	require.NoError(t, err)
	assert.EqualValues(t, len(ids), f.ids)
	assert.EqualValues(t, 1, f.duplicates)
	assert.Equal(t, ids[0], f.first[0].ID)
}

func TestCheckAgainstASlowModel(t *testing.T) {
	dir := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		var contents [][]uid.ID
		for i, ids := range rapid.SliceOfN(rapid.SliceOf(rapid.Int64Range(0, 40)), 0, 5).Draw(t, "logs") {
			contents = append(contents, nil)
			for _, id := range ids {
				contents[i] = append(contents[i], uid.ID(id))
			}
			if rapid.Bool().Draw(t, "sorted") {
				slices.Sort(contents[i])
			}
		}
		var want findings
		seen := map[uid.ID]bool{}
		for _, ids := range contents {
			for i, id := range ids {
				want.ids++
				if seen[id] {
					want.duplicates++
				}
				seen[id] = true
				if i > 0 && id <= ids[i-1] {
					want.orderViolations++
				}
			}
		}
		got, err := checkLogs(logsOf(t, dir, contents...), dir)
		require.NoError(t, err)
		got.first = nil
		assert.Equal(t, want, got)
	})
}
