package uid

// Spread returns an id that stands for this one and has no order: neighbours lie anywhere
// between 0 and 2^63-1. It is for databases that split a table across machines by ranges of
// keys (CockroachDB, Spanner, TiDB, YugabyteDB), where ids that grow would all be inserted on
// the last one. Store it in the column in place of the id; [ID.Unspread] returns the id. Each
// id has its own spread id, so nothing is duplicated, and all methods of an ID work.
//
// It hides nothing, since anybody can undo it: package opaque is for ids that are shown.
//
// The mix is the finalizer of MurmurHash3 (Austin Appleby) with the constants of David
// Stafford's variant 13, in 63 bits: each step can be undone there too. An id below 0, which
// no generator makes, is returned as it is.
func (id ID) Spread() ID {
	if id < 0 {
		return id
	}
	x := uint64(id)
	x ^= x >> 30
	x = x * spreadFirst & maxID
	x ^= x >> 27
	x = x * spreadSecond & maxID
	x ^= x >> 31
	return ID(x)
}

// Unspread is the inverse of [ID.Spread].
func (id ID) Unspread() ID {
	if id < 0 {
		return id
	}
	x := uint64(id)
	x = unshift(x, 31) * spreadSecondInverse & maxID
	x = unshift(x, 27) * spreadFirstInverse & maxID
	return ID(unshift(x, 30))
}

// The inverses are those of multiplication by an odd number modulo 2^63.
const (
	maxID = 1<<63 - 1

	spreadFirst         = 0xbf58476d1ce4e5b9
	spreadFirstInverse  = 0x96de1b173f119089
	spreadSecond        = 0x94d049bb133111eb
	spreadSecondInverse = 0x319642b2d24d8ec3
)

// unshift undoes x ^= x >> n. Another such step leaves x ^ x>>2n, since both x>>n cancel out;
// so it is repeated with twice the shift, until that is beyond 63 bits.
func unshift(x uint64, n uint) uint64 {
	for shift := n; shift < 64; shift += n {
		x ^= x >> shift
		n = shift
	}
	return x
}
