// Package secret keeps passwords out of what people read. Drivers should do that by
// themselves; this does not rely on it.
package secret

import (
	"context"
	"net/url"
	"strings"
	"time"

	"github.com/ringuid/ringuid/worker"
	"github.com/ringuid/ringuid/worker/store"
)

// Redacted is a URL without its password, and without its options, which may hold
// one too.
func Redacted(u *url.URL) string {
	clean := url.URL{Scheme: u.Scheme, Host: u.Host, Path: u.Path}
	if name := u.User.Username(); name != "" {
		clean.User = url.User(name)
	}
	return clean.String()
}

// Words are what nobody is to read.
type Words []string

// Of returns the words of a URL that nobody is to read.
func Of(u *url.URL) (all Words) {
	if password, ok := u.User.Password(); ok {
		all = append(all, password, url.QueryEscape(password), url.PathEscape(password))
		_, escaped, _ := strings.Cut(u.User.String(), ":")
		all = append(all, escaped)
	}
	for key, values := range u.Query() {
		if strings.Contains(strings.ToLower(key), "pass") {
			all = append(all, values...)
		}
	}
	return all
}

// Redact returns the error without the words; nil of nil.
func (w Words) Redact(err error) error {
	if err == nil {
		return nil
	}
	return redacted{err, w}
}

type redacted struct {
	error
	words Words
}

func (e redacted) Error() string {
	text := e.error.Error()
	for _, w := range e.words {
		if w != "" {
			text = strings.ReplaceAll(text, w, "***")
		}
	}
	return text
}

func (e redacted) Unwrap() error { return e.error }

// Store returns the store with errors that have none of the words.
func (w Words) Store(s store.Store) store.Store { return redactingStore{s, w} }

type redactingStore struct {
	store.Store
	words Words
}

func (d redactingStore) Check(ctx context.Context) (lossy bool, err error) {
	lossy, err = d.Store.Check(ctx)
	return lossy, d.words.Redact(err)
}

func (d redactingStore) View(ctx context.Context, p store.Pool, first, last int64) (store.View,
	error) {
	v, err := d.Store.View(ctx, p, first, last)
	return v, d.words.Redact(err)
}

func (d redactingStore) Now(ctx context.Context) (time.Time, error) {
	now, err := d.Store.Now(ctx)
	return now, d.words.Redact(err)
}

func (d redactingStore) Create(ctx context.Context, p store.Pool, workers []int64,
	nonce store.Nonce) error {
	return d.words.Redact(d.Store.Create(ctx, p, workers, nonce))
}

func (d redactingStore) Open(ctx context.Context, p store.Pool, workers []int64,
	created, nonce store.Nonce, high int64) error {
	return d.words.Redact(d.Store.Open(ctx, p, workers, created, nonce, high))
}

func (d redactingStore) Write(ctx context.Context, w store.Write) (bool, error) {
	applied, err := d.Store.Write(ctx, w)
	return applied, d.words.Redact(err)
}

func (d redactingStore) Delete(ctx context.Context, layout string) error {
	return d.words.Redact(d.Store.Delete(ctx, layout))
}

// Raise is store.Raiser's. Nobody calls it of a store that shows no server.
func (d redactingStore) Raise(ctx context.Context, p store.Pool, epoch string,
	floor, ahead int64) (bool, error) {
	applied, err := d.Store.(store.Raiser).Raise(ctx, p, epoch, floor, ahead)
	return applied, d.words.Redact(err)
}

// Registrar returns the registrar with errors that have none of the words.
func (w Words) Registrar(r worker.Registrar) worker.Registrar { return redactingRegistrar{r, w} }

type redactingRegistrar struct {
	worker.Registrar
	words Words
}

func (d redactingRegistrar) Class(ctx context.Context) (worker.Class, error) {
	class, err := d.Registrar.Class(ctx)
	return class, d.words.Redact(err)
}

func (d redactingRegistrar) Register(ctx context.Context, n worker.Node, need worker.Need) (
	int64, error) {
	id, err := d.Registrar.Register(ctx, n, need)
	return id, d.words.Redact(err)
}
