package main

import (
	"bytes"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// What `uidbench plan --format go` writes is compiled and run, in a folder of this module
// that is there for the compiler alone.
func TestALayoutAsCodeIsTheLayout(t *testing.T) {
	const says = "package main\n\nfunc main() { println(layout.String()) }\n"
	for args, want := range map[string]string{
		"--nodes 10 --recycled --rate 50k --from 2026-03-01": "since 2026-03-01T00:00:00Z",
		"--preset raindrop-min --nodes 3 --recycled --rate 1 --from 2026-03-01": "1m " +
			"since 2023-01-01T00:00:00Z",
		"--preset seata --nodes 3 --recycled --rate 1 --from " +
			"2026-03-01": "wts:10|41|12 1ms since 2020-05-02T16:00:00Z",
	} {
		t.Run(args, func(t *testing.T) {
			t.Parallel()
			var code bytes.Buffer
			require.Equal(t, exitOK, run(t.Context(),
				append(strings.Fields("plan --format go"), strings.Fields(args)...), &code, io.Discard))
			dir := t.TempDir()
			overlay := map[string]map[string]string{"Replace": {}}
			for name, text := range map[string]string{"layout.go": code.String(), "main.go": says} {
				file := filepath.Join(dir, name)
				require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
				place, err := filepath.Abs(filepath.Join("internal", "planned", name))
				require.NoError(t, err)
				overlay["Replace"][place] = file
			}
			list, err := json.Marshal(overlay)
			require.NoError(t, err)
			require.NoError(t, os.WriteFile(filepath.Join(dir, "overlay.json"), list, 0o600))
			out, err := exec.Command("go", "run", "-overlay", filepath.Join(dir, "overlay.json"),
				"./internal/planned").CombinedOutput()
			require.NoError(t, err, "%s\n%s", code.String(), out)
			assert.Contains(t, string(out), want)
		})
	}
}
