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
// A Sorter sorts any number of ids, so that equal ones are neighbours. It is an external
// merge sort (Knuth, The Art of Computer Programming, volume 3, 5.4): each full buffer is
// radix-sorted and written to a file as a run, as the differences of neighbours, and at
// the end all runs are merged. So it takes no more memory than it is given, however the
// ids are distributed. With memory M (in bytes) and runs read through 4 KB each,
// M*M/200,000 ids fit without a second round of merging: 20 billion with 64 MB.
//
// Each id is stored with the place where it was found, which takes about one byte more;
// so the two places of a duplicate are known without reading the logs again, which is
// impossible with a pipe.
//
// The file has no name while it is in use, except on Windows, so its space is freed
// however the process ends.
//
// # Order and clocks
//
// Check reads logs line by line, and compares each id with the previous one in its file,
// and with the previous one of the same worker id. A worker usually writes its ids to one
// file as it gets them; ids of other workers in between do not count as out of order.
//
// Where a line says when it was written, the id's time minus that time is the skew of the
// worker's clock plus what the worker borrowed from the future. Where it does not, only
// the lag can be seen: how far an id's time is behind the newest earlier one in the file.
// In a merged log, workers with slow clocks lag.
//
// # Cost
//
// Reading takes most of the time; it runs in its own goroutine, parsing in another,
// sorting in a third. A plain line costs no allocation. Little is kept for each worker
// id, and for at most 65,536 of them.
package idlog
