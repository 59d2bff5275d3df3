package main

import (
	_ "embed"
	"encoding/json"
	"net/http"

	"github.com/ringuid/ringuid/uid"
)

//go:embed page.html
var page []byte

// order in JSON is {"id":"538815673191686145","bare":538815673191686145,...}.
type order struct {
	ID   uid.ID `json:"id"`
	Bare int64  `json:"bare"` // the same number as most APIs would send it, to see what becomes of it
	Item string `json:"item"`
}

// shop is a list of orders, the oldest first.
type shop []order

func newShop(gen *uid.CachedGenerator, items ...string) (shop, error) {
	ids, err := gen.AppendUIDs(nil, len(items))
	if err != nil {
		return nil, err
	}
	var s shop
	for i, item := range items {
		s = append(s, order{ID: ids[i], Bare: int64(ids[i]), Item: item})
	}
	return s, nil
}

func (s shop) handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		w.Write(page)
	})
	mux.HandleFunc("GET /orders", func(w http.ResponseWriter, _ *http.Request) {
		answer(w, s)
	})
	mux.HandleFunc("POST /find", s.find)
	return mux
}

// find answers with the order that {"id": ...} names, or with null. The id may come
// quoted or bare.
func (s shop) find(w http.ResponseWriter, r *http.Request) {
	const most = 1 << 10 // bytes that such a question takes
	var wanted struct {
		ID uid.ID `json:"id"`
	}
	if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, most)).Decode(&wanted); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	for _, o := range s {
		if o.ID == wanted.ID {
			answer(w, o)
			return
		}
	}
	answer(w, nil)
}

func answer(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	// An error here means that the client has gone.
	_ = json.NewEncoder(w).Encode(v)
}
