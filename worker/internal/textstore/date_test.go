package textstore

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// No error shows the password of a URL.
func TestDateShowsNoPassword(t *testing.T) {
	answer := func(w http.ResponseWriter, r *http.Request) {
		w.Header()["Date"] = nil
		if r.URL.Path == "/busy" {
			w.WriteHeader(http.StatusBadGateway)
		}
	}
	s := httptest.NewServer(http.HandlerFunc(answer))
	defer s.Close()
	with := strings.Replace(s.URL, "//", "//uid:hunter2@", 1)
	for _, url := range []string{with, with + "/busy", "http://uid:hunter2@localhost:x/",
		"http://uid:hunter2@localhost:1/"} {
		_, _, err := Date(t.Context(), s.Client(), url, http.StatusOK)
		require.Error(t, err)
		assert.NotContains(t, err.Error(), "hunter2")
	}
}

// What a cache kept shows the time at which it was kept.
func TestDateOfACacheDoesNotCount(t *testing.T) {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Cache-Control") != "no-cache" || r.URL.Path == "/deaf" {
			w.Header().Set("Age", "40")
		}
	}))
	defer s.Close()
	_, _, err := Date(t.Context(), s.Client(), s.URL, http.StatusOK)
	require.NoError(t, err)
	_, _, err = Date(t.Context(), s.Client(), s.URL+"/deaf", http.StatusOK)
	assert.ErrorContains(t, err, "40 seconds old, so it came from a cache")
}
