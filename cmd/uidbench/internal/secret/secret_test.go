package secret

import (
	"errors"
	"net/url"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestErrorsHaveNoSecrets(t *testing.T) {
	u, err := url.Parse("mysql://uid:p%40ss%2Fword@db/uid?passphrase=other")
	require.NoError(t, err)
	inner := errors.New("cannot log in with p@ss/word, p%40ss%2Fword or other")
	err = Of(u).Redact(inner)
	assert.Equal(t, "cannot log in with ***, *** or ***", err.Error())
	assert.ErrorIs(t, err, inner)
	assert.NoError(t, Of(u).Redact(nil))
	assert.Equal(t, "mysql://uid@db/uid", Redacted(u))
}
