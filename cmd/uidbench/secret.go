package main

import (
	"context"
	"net/url"
	"strings"

	"github.com/ringuid/ringuid/worker"
	protocol "github.com/ringuid/ringuid/worker/store"
)

// redacted is a URL without its password, and without its options, which may hold
// one too.
func redacted(u *url.URL) string {
	clean := url.URL{Scheme: u.Scheme, Host: u.Host, Path: u.Path}
	if name := u.User.Username(); name != "" {
		clean.User = url.User(name)
	}
	return clean.String()
}

// secretsOf are the words of a URL that nobody is to read.
func secretsOf(u *url.URL) (secrets []string) {
	if password, ok := u.User.Password(); ok {
		secrets = append(secrets, password, url.QueryEscape(password), url.PathEscape(password))
		_, escaped, _ := strings.Cut(u.User.String(), ":")
		secrets = append(secrets, escaped)
	}
	for key, values := range u.Query() {
		if strings.Contains(strings.ToLower(key), "pass") {
			secrets = append(secrets, values...)
		}
	}
	return secrets
}

// redactedError is an error without the secrets. Drivers should keep them out by
// themselves; this does not rely on it.
type redactedError struct {
	error
	secrets []string
}

func (e redactedError) Error() string {
	text := e.error.Error()
	for _, s := range e.secrets {
		if s != "" {
			text = strings.ReplaceAll(text, s, "***")
		}
	}
	return text
}

func (e redactedError) Unwrap() error { return e.error }

// redactingStore is a Store whose errors have no secrets.
type redactingStore struct {
	worker.Store
	secrets []string
}

func (d redactingStore) redact(err error) error {
	if err == nil {
		return nil
	}
	return redactedError{err, d.secrets}
}

func (d redactingStore) Check(ctx context.Context) (worker.Class, error) {
	c, err := d.Store.Check(ctx)
	return c, d.redact(err)
}

func (d redactingStore) Init(ctx context.Context, n worker.Namespace, o worker.InitOptions) error {
	return d.redact(d.Store.Init(ctx, n, o))
}

func (d redactingStore) View(ctx context.Context, namespace string, first, last int64) (worker.View, error) {
	v, err := d.Store.View(ctx, namespace, first, last)
	return v, d.redact(err)
}

func (d redactingStore) Write(ctx context.Context, w protocol.Write) (bool, error) {
	applied, err := d.Store.Write(ctx, w)
	return applied, d.redact(err)
}

func (d redactingStore) Raise(ctx context.Context, r protocol.Raise) (bool, error) {
	applied, err := d.Store.Raise(ctx, r)
	return applied, d.redact(err)
}

func (d redactingStore) Quarantine(ctx context.Context, namespace string, floor int64) error {
	return d.redact(d.Store.Quarantine(ctx, namespace, floor))
}

// Remove is store.Remover's, where the store is one.
func (d redactingStore) Remove(ctx context.Context, namespace string, o protocol.RemoveOptions) error {
	r, ok := d.Store.(protocol.Remover)
	if !ok {
		return errNoRemover("this one")
	}
	return d.redact(r.Remove(ctx, namespace, o))
}

// redactingRegistrar is a Registrar whose errors have no secrets.
type redactingRegistrar struct {
	worker.Registrar
	secrets []string
}

func (d redactingRegistrar) Class(ctx context.Context) (worker.Class, error) {
	class, err := d.Registrar.Class(ctx)
	return class, redactingStore{secrets: d.secrets}.redact(err)
}

func (d redactingRegistrar) Register(ctx context.Context, n worker.Node, need worker.Need) (int64, error) {
	id, err := d.Registrar.Register(ctx, n, need)
	return id, redactingStore{secrets: d.secrets}.redact(err)
}
