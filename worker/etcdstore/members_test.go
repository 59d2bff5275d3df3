package etcdstore

import (
	"crypto/tls"
	"errors"
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.etcd.io/etcd/api/v3/v3rpc/rpctypes"

	"github.com/ringuid/ringuid/worker/internal/leasetest"
)

// Where members speak gRPC alone, nothing is opened and nothing written, and each process
// says why.
func TestMembersThatDoNotTellTheTime(t *testing.T) {
	s := shared(t)
	leasetest.Make(t, s)
	timeless := New(of(s).client, Options{Prefix: prefix(s)})
	of(timeless).http.Transport = silent{}
	v := leasetest.View(t, timeless)
	_, err := timeless.Now(t.Context())
	require.ErrorContains(t, err, "no HTTP here")
	applied, err := timeless.Write(t.Context(), leasetest.Acquisition(v))
	require.ErrorContains(t, err, "Options.TLS")
	assert.False(t, applied)
	assert.Equal(t, v.Rows, leasetest.View(t, s).Rows)
}

type silent struct{}

func (silent) RoundTrip(*http.Request) (*http.Response, error) {
	return nil, errors.New("no HTTP here")
}

func TestWhereMembersTellTheTime(t *testing.T) {
	plain := of(New(nil, Options{}))
	secure := of(New(nil, Options{TLS: &tls.Config{}}))
	assert.Equal(t, "http://etcd:2379/version", plain.versionURL("etcd:2379"))
	assert.Equal(t, "https://etcd:2379/version", plain.versionURL("https://etcd:2379/"))
	assert.Equal(t, "https://etcd:2379/version", secure.versionURL("etcd:2379"))
	assert.Equal(t, "http://etcd:2379/version", secure.versionURL("http://etcd:2379"))
}

func TestVersionsThatForget(t *testing.T) {
	for version, want := range map[string]bool{
		"3.3.27": true, "3.4.20": true, "3.4.21": false, "3.4.23": false, "3.4.100": false,
		"3.5.0": true, "3.5.4": true, "3.5.5": false, "3.6.0": false, "3.6.0-rc.1": false, "4.0.0": false,
		"HEAD": false,
	} {
		assert.Equal(t, want, forgets(version), version)
	}
}

func TestALearner(t *testing.T) {
	say, _ := new(etcd).Advice(rpctypes.Error(rpctypes.ErrGRPCNotSupportedForLearner))
	assert.Contains(t, say, "promote it")
}
