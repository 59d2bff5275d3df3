package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/ringuid/ringuid/uid"
)

func TestExitCodes(t *testing.T) {
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	for name, c := range map[string]struct {
		ctx  context.Context
		err  error
		want int
	}{
		"nothing wrong":              {t.Context(), nil, OK},
		"an error":                   {t.Context(), io.ErrUnexpectedEOF, Error},
		"usage":                      {t.Context(), Usagef("type %d", 1), Usage},
		"a layout":                   {t.Context(), fmt.Errorf("x: %w", uid.ErrLayout), Usage},
		"interrupted":                {ended, fmt.Errorf("x: %w", context.Canceled), Interrupted},
		"an error while interrupted": {ended, io.ErrUnexpectedEOF, Error},
		"a timeout of somebody else": {t.Context(), context.Canceled, Error},
		"a duplicate and interrupted": {ended, errors.Join(context.Canceled, Coded(io.EOF, Duplicate)),
			Duplicate},
	} {
		assert.Equal(t, c.want, ExitCode(c.ctx, c.err), name)
	}
}
