package main

import (
	"testing"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestTheCommandToTypeAgainHasNoPassword(t *testing.T) {
	const name = "mysql://uid@db.example.com/uid"
	var f runFlags
	cmd := &cobra.Command{Use: "uidbench"}
	f.bind(cmd)
	require.NoError(t, cmd.ParseFlags([]string{
		"--store", "mysql://uid:secret@db.example.com/uid?tls=true", "--verify=false", "-q", "--html",
		"it's.html",
	}))
	assert.Equal(t, `uidbench --store mysql://uid@db.example.com/uid --verify=false --quiet --html 'it'\''s.html'`, commandLine(cmd, name))
}
