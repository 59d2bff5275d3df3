package rowtext

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/ringuid/ringuid/worker/memstore"
	"github.com/ringuid/ringuid/worker/store"
)

// Apply does what the store in memory does, whatever is written.
func TestApplyLikeMemory(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		now := time.Unix(1_000, 0).UTC()
		memory := memstore.NewAt(func() time.Time { return now })
		n := store.Namespace{Name: "a", Fingerprint: "f", Unit: time.Second, First: 0, Last: 0, Window: 5}
		if err := memory.Init(t.Context(), n, store.InitOptions{Fresh: true}); err != nil {
			rt.Fatal(err)
		}
		nonces := []store.Nonce{{1}, {2}, {3}}
		for range rapid.IntRange(1, 12).Draw(rt, "writes") {
			v, err := memory.View(t.Context(), "a", 0, 0)
			if err != nil {
				rt.Fatal(err)
			}
			w := store.Write{
				Namespace:   "a",
				Fingerprint: rapid.SampledFrom([]string{"f", "f", "f", "g"}).Draw(rt, "fingerprint"),
				Epoch:       rapid.SampledFrom([]string{"", "", "", "e"}).Draw(rt, "epoch"),
				Floor:       v.Floor + rapid.SampledFrom([]int64{0, 0, 0, 1, -1}).Draw(rt, "floor"),
				Expect: rapid.SliceOfN(rapid.SampledFrom(append(nonces, v.Rows[0].Nonce)), 1, 2).Draw(rt,
					"expect"),
				Nonce:   rapid.SampledFrom(nonces).Draw(rt, "nonce"),
				High:    v.TickAt(now) + rapid.Int64Range(-3, 7).Draw(rt, "high"),
				TTL:     time.Duration(rapid.IntRange(0, 3).Draw(rt, "ttl")) * time.Second,
				Acquire: rapid.Bool().Draw(rt, "acquire"),
				Release: rapid.Bool().Draw(rt, "release"),
				Now:     now,
			}
			row, ok := Apply(v.Namespace, v.Rows[0], w)
			applied, err := memory.Write(t.Context(), w)
			if err != nil || applied != ok {
				rt.Fatalf("%+v: %v and not %v, %v", w, ok, applied, err)
			}
			after, err := memory.View(t.Context(), "a", 0, 0)
			if err != nil || after.Rows[0] != row {
				rt.Fatalf("%+v left %+v and not %+v, %v", w, row, after.Rows[0], err)
			}
			now = now.Add(time.Duration(rapid.IntRange(0, 2).Draw(rt, "passes")) * time.Second)
		}
	})
}
