// Package preset has the settings of other id generators: the layout and policies with
// which a generator of package uid makes the same ids, and their way of choosing a worker
// id.
//
//	config, err := preset.Named("twitter")
//	if err != nil {
//		return err
//	}
//	gen, err := uid.NewDefault(ctx, worker.Static(42), config)
//
// A cached generator has no policies: [Layout] returns what it uses of a system.
//
//	layout, err := preset.Layout("twitter")
//	gen, err := uid.New(ctx, worker.Static(42), uid.Config{Layout: layout})
//
// A system with its own way of choosing a worker id is also a type:
//
//	leaf := preset.Leaf{Port: 8080}
//	gen, err := uid.NewDefault(ctx, worker.Leased(store, leaf.Claim(worker.Claim{})), config)
//
// Unless the documentation says otherwise, the ids are those of the original, bit for
// bit; where the original repeats ids or makes invalid ones, there is an error instead.
// docs/compatibility.md lists the differences.
//
// A Claim is an order of preference among the rows of a [store.Store]. It chooses as the
// original does, but is safe: the originals may give the worker id of a live process, or of
// one that is paused, to another. AlphaYu/adnc, whose ids are those of "yitter", chooses by
// [worker.Oldest] with a TTL of three minutes; Snowflakes whose worker ids are ephemeral
// nodes in ZooKeeper choose by [worker.Lowest]. A Claim does not share keys or tables with the
// original, so the two must not run at the same time with the same worker ids.
package preset
