package opaque

import (
	"testing"

	"github.com/ringuid/ringuid/uid"
)

// Hiding and revealing ids that follow one another.
func BenchmarkKeys(b *testing.B) {
	keys := newKeys(b, Key{1, secret(1)})
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

func BenchmarkText(b *testing.B) {
	id := ID{7378466504428025160, 1}
	b.Run("AppendText", func(b *testing.B) {
		text := make([]byte, 0, textSize)
		for b.Loop() {
			text, _ = id.AppendText(text[:0])
		}
	})
	b.Run("Parse", func(b *testing.B) {
		text := id.String()
		for b.Loop() {
			if _, err := Parse(text); err != nil {
				b.Fatal(err)
			}
		}
	})
}
