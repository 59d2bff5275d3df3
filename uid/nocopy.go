package uid

// noCopy makes go vet complain about a copy of what has it: two copies of a Stream
// hand out the same ids. Types with atomics or locks in them need none.
type noCopy struct{}

func (*noCopy) Lock()   {}
func (*noCopy) Unlock() {}
