// Package idlog checks logs of ids: whether one came twice, and whether they are in order.
//
//	report, err := idlog.Check(ctx, config, []idlog.Input{
//		{Name: "ids.txt", Open: func() (io.ReadCloser, error) { return os.Open("ids.txt") }},
//	})
//	err = idlog.WriteText(os.Stdout, report)
//
// Ids are kept in memory, in a set as `uidbench run --verify` has it (package idset). The set
// finds an id when it comes for the second time. To say where it was first, the inputs are
// read again, except those that can be read only once.
//
// Each id is compared with the one before it in its input.
package idlog
