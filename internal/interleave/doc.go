// Package interleave lets tests run all orders of the atomic operations of functions that share
// memory. It compiles the functions from their source, so what is run is what is released, and
// a mutant is a change of that text:
//
//	source, err := interleave.Read([]string{"put.go", "take.go"})
//	put := source.Compile("Put", interleave.Object{Name: "r", Consts: consts})
//
// The test has the state of the world: the words that are operated on, and a Thread for each
// goroutine. From each state it lets each thread that can go on do its next operation, and checks
// what became of it:
//
//	t.Begin(first, n)
//	for !t.Run(put) {
//		t.Do(put, &words[put[t.PC].Word])
//	}
//
// What the compiler knows of Go is little; it panics at anything else. All values are unsigned
// words of 64 bits. It is for tests alone.
package interleave
