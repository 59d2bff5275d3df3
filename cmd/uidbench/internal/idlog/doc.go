// Package idlog checks logs of ids: whether one came twice, whether they are in
// order, and whether the clocks of the workers that made them are right.
//
//	report, err := idlog.Check(ctx, idlog.Config{Layout: uid.DefaultLayout, Memory: 1e9}, []idlog.Input{
//		{Name: "ids.txt", Open: func() (io.ReadCloser, error) { return os.Open("ids.txt") }},
//	})
//	err = idlog.WriteText(os.Stdout, report)
//
// # Duplicates
//
// A Sorter puts any number of ids in order, where equal ones are neighbours. It is
// an external merge sort (Knuth, The Art of Computer Programming, volume 3, 5.4):
// a buffer that is full is sorted by its digits and written to a file as a run, as
// the differences of neighbours, and in the end all runs are merged. So it takes
// the memory that it is given and no more, however ids are spread. With memory M
// (in bytes) and runs read through 4 KB each, M*M/200,000 ids fit without a second
// round of merging: 20 billion with 64 MB.
//
// With each id goes where it was found, which its neighbours in order tell for a
// byte; so the two places of a duplicate are known without reading the logs again,
// which a pipe could not be.
//
// The file has no name while it is in use, except on Windows: whatever becomes of
// the process, its space is free again.
//
// # Order and clocks
//
// Check reads logs line by line, and compares each id with the one before it in its
// file, and with the one before it of the same worker id. A worker writes its ids
// to one file as it gets them, mostly; what other workers write between is no
// disorder of its own.
//
// Where a line says when it was written, an id's time minus that is the skew of the
// worker's clock, and whatever it borrowed from the future. Where it does not, all
// that can be seen is how far an id's time lies behind the newest one above it in
// the file: workers of a merged log whose clocks are slow fall behind.
//
// # Cost
//
// Reading takes most of the time; it is done in a goroutine of its own, parsing in
// another, sorting in a third. A plain line costs no allocation. What is kept of
// each worker id is small, and of no more than 65,536 of them.
package idlog
