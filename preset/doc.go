// Package preset has the settings of other systems: the layout and the policies
// with which a generator of package uid makes their ids, and their way to choose a
// worker id. Each system is a file.
//
//	config, err := preset.Named("snowflake")
//	if err != nil {
//		return err
//	}
//	gen, err := uid.NewDefault(ctx, worker.Static(42), config)
//
// A system that has options, or a way of its own to choose a worker id, is a type as
// well: Config returns the settings for its ids, Claim those for its worker ids.
//
//	leaf := preset.Leaf{Port: 8080}
//	gen, err := uid.NewDefault(ctx, worker.Leased(store, leaf.Claim(worker.Claim{})), leaf.Config())
//
// The ids are the originals', bit for bit unless it says otherwise, and what was
// wrong with them is an error here: docs/compatibility.md goes through it line by
// line.
//
// A Claim is a preference over the rows of a [worker.Store]. It keeps its original's
// order of choosing and its intervals, and none of its dangers: the originals hand
// a live worker id to a second process, or one to the next while the last one
// sleeps. It does not share keys or tables with a fleet of the original, so the two
// must not run at the same time on the same worker ids.
package preset
