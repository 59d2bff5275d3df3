// Package copies copies what must not be copied. TestVetComplainsAboutCopies vets
// it, and wants a complaint about each line with an asterisk.
package copies

import (
	"github.com/ringuid/ringuid/padding"
	"github.com/ringuid/ringuid/ringbuffer"
	"github.com/ringuid/ringuid/uid"
)

func assigned(s *uid.Stream) {
	t := *s // *
	_, _ = t.GetUID()
}

func received(s uid.Stream) { // *
	_, _ = s.GetUID()
}

func returned(s *uid.Stream) uid.Stream {
	return *s // *
}

func ranged(all []uid.Stream) {
	for _, s := range all { // *
		_, _ = s.GetUID()
	}
}

type holder struct{ stream uid.Stream }

func held(h *holder) {
	other := *h // *
	_, _ = other.stream.GetUID()
}

func others(c *uid.CachedGenerator, d *uid.DefaultGenerator, k *uid.Keyed, r *ringbuffer.Ring,
	p *padding.Padder) {
	c2 := *c // *
	_ = c2.Close()
	d2 := *d // *
	_ = d2.Close()
	k2 := *k // *
	_, _ = k2.GetUID("")
	r2 := *r // *
	_ = r2.Used()
	p2 := *p // *
	p2.Close()
}
