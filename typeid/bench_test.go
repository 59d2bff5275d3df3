package typeid

import "testing"

// BenchmarkText: an id as text and back, as it is and hidden.
func BenchmarkText(b *testing.B) {
	b.Run("plain", benchmarkText[order])
	b.Run("hidden", benchmarkText[invoice])
}

func benchmarkText[K Kind](b *testing.B) {
	b.Run("AppendText", func(b *testing.B) {
		b.ReportAllocs()
		text := make([]byte, 0, 32)
		id := ID[K](538815673191686144)
		for b.Loop() {
			var err error
			if text, err = id.AppendText(text[:0]); err != nil {
				b.Fatal(err)
			}
			id++
		}
	})
	b.Run("Parse", func(b *testing.B) {
		b.ReportAllocs()
		var texts []string
		for i := range ID[K](1024) { // so that no processor learns them
			texts = append(texts, (538815673191686144 + i).String())
		}
		i := 0
		for b.Loop() {
			if _, err := Parse[K](texts[i&1023]); err != nil {
				b.Fatal(err)
			}
			i++
		}
	})
}
