// Package idlog checks logs of ids: whether one came twice, and whether they are in order.
//
//	report, err := idlog.Check(ctx, config, []idlog.Input{
//		{Name: "ids.txt", Open: func() (io.ReadCloser, error) { return os.Open("ids.txt") }},
//	})
//	err = idlog.WriteText(os.Stdout, report)
//
// Ids are kept in memory, in a set as `uidbench run --verify` has it (package idset). Where
// an id came twice is known of the second time alone; where the first was is looked up by
// reading those inputs again that can be read twice.
//
// Each id is compared with the one before it in its input, and with the one before it of
// the same worker id: a worker usually writes its ids to one file as it gets them, and ids
// of other workers in between do not count as out of order.
package idlog
