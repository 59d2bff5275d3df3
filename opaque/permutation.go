package opaque

// permutation maps the numbers 0 to last onto themselves.
type permutation[W word] struct {
	cipher speck[W]
	last   uint64 // all bits of the width are set; at most a block
}

// hide walks along the cipher's cycle from v to the next number that is not too large.
// There is one, at the latest v itself; and as each has one before it on the cycle,
// reveal finds the way back.
func (p *permutation[W]) hide(v uint64) uint64 {
	for {
		x, y := p.cipher.encrypt(split[W](v))
		if v = join(x, y); v <= p.last {
			return v
		}
	}
}

// reveal is the inverse of hide.
func (p *permutation[W]) reveal(v uint64) uint64 {
	for {
		x, y := p.cipher.decrypt(split[W](v))
		if v = join(x, y); v <= p.last {
			return v
		}
	}
}

// split makes a block of a number; x is its upper half.
func split[W word](v uint64) (x, y W) { return W(v >> size[W]()), W(v) }

func join[W word](x, y W) uint64 { return uint64(x)<<size[W]() | uint64(y) }
