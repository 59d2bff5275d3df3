package worker

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/worker/memstore"
	"github.com/ringuid/ringuid/worker/store"
)

// TestInitBesideAnotherThatComesAndGoes: an Init finds the namespace gone that had its
// worker ids. Before it says that they are its own, that namespace is made again, so
// that the record of worker ids is as it was.
func TestInitBesideAnotherThatComesAndGoes(t *testing.T) {
	s := memstore.New()
	n := Namespace{Name: "a", Fingerprint: "layout", Unit: time.Second, Window: 2}
	require.NoError(t, s.Init(t.Context(), n, InitOptions{Fresh: true}))
	s.Drop("a")

	again, late := n, n
	late.Name = "b"
	g := &interrupted{Catalog: s.Catalog(), before: func() {
		require.NoError(t, s.Init(t.Context(), again, InitOptions{}))
	}}
	require.ErrorIs(t, store.Init(t.Context(), g, late, InitOptions{}), ErrOverlap)
	_, err := s.View(t.Context(), "b", 0, 0)
	require.ErrorIs(t, err, ErrNoNamespace)
}

// interrupted is a Catalog with something that happens before the record is changed
// for the first time.
type interrupted struct {
	store.Catalog
	before func()
}

func (g *interrupted) ReplaceSpace(ctx context.Context, fingerprint, old, text string) (bool,
	error) {
	if before := g.before; before != nil {
		g.before = nil
		before()
	}
	return g.Catalog.ReplaceSpace(ctx, fingerprint, old, text)
}
