package opaque

import (
	"testing"

	"github.com/ringuid/ringuid/uid"
)

// Hiding and revealing ids that follow one another.
func BenchmarkKeys(b *testing.B) {
	keys := newKeys(b, typed(1, secret(1)))
	b.Run("Hide", func(b *testing.B) {
		b.ReportAllocs()
		id := uid.ID(538815673191686144)
		for b.Loop() {
			shown, err := keys.Hide(id)
			if err != nil || shown.Key != 1 {
				b.Fatal(shown, err)
			}
			id++
		}
	})
	b.Run("Reveal", func(b *testing.B) {
		b.ReportAllocs()
		shown := ID{538815673191686144, 1}
		for b.Loop() {
			if _, err := keys.Reveal(shown); err != nil {
				b.Fatal(err)
			}
			shown.Number++
		}
	})
}
