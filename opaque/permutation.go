package opaque

// cipher maps blocks onto themselves, as a key has it.
type cipher interface {
	encrypt(block uint64) uint64
	decrypt(block uint64) uint64
}

// permutation maps the numbers 0 to last onto themselves.
type permutation struct {
	cipher cipher
	last   uint64 // at most the cipher's largest block
}

// hide walks along the cipher's cycle from v to the next number that is not too large.
// There is one, at the latest v itself; and as each has one before it on the cycle,
// reveal finds the way back.
func (p *permutation) hide(v uint64) uint64 {
	for {
		if v = p.cipher.encrypt(v); v <= p.last {
			return v
		}
	}
}

// reveal is the inverse of hide.
func (p *permutation) reveal(v uint64) uint64 {
	for {
		if v = p.cipher.decrypt(v); v <= p.last {
			return v
		}
	}
}
