package opaque

import (
	"crypto/aes"
	"sync/atomic"
	"testing"

	"github.com/ringuid/ringuid/uid"
)

// Hiding and revealing ids that follow one another, beside what they are made of and
// what they could be made of: an encryption of a block, and one of AES by the processor.
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
	b.Run("Speck", func(b *testing.B) {
		cipher, block := keys.ciphers[1].cipher, uint64(1)
		for b.Loop() {
			block = cipher.encrypt(block)
		}
	})
	b.Run("AES", func(b *testing.B) {
		cipher, err := aes.NewCipher(secret(1))
		if err != nil {
			b.Fatal(err)
		}
		var block [aes.BlockSize]byte
		for b.Loop() {
			cipher.Encrypt(block[:], block[:])
		}
	})
}

func BenchmarkText(b *testing.B) {
	id := ID{7378466504428025160, 1}
	b.Run("AppendText", func(b *testing.B) {
		text := make([]byte, 0, TextSize)
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

// BenchmarkAtomicAdd is what the figures are compared with.
func BenchmarkAtomicAdd(b *testing.B) {
	var n atomic.Int64
	for b.Loop() {
		n.Add(1)
	}
}
