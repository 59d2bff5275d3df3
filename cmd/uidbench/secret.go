package main

import (
	"context"
	"net/url"
	"strings"

	"github.com/ringuid/ringuid/worker"
	protocol "github.com/ringuid/ringuid/worker/store"
)

// shown is a URL without its password, and without its options, which may hold
// one too.
func shown(u *url.URL) string {
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

// censored is an error without the secrets. Drivers should keep them out by
// themselves; this does not rely on it.
type censored struct {
	error
	secrets []string
}

func (c censored) Error() string {
	text := c.error.Error()
	for _, s := range c.secrets {
		if s != "" {
			text = strings.ReplaceAll(text, s, "***")
		}
	}
	return text
}

func (c censored) Unwrap() error { return c.error }

// discreet is a Store whose errors are censored.
type discreet struct {
	worker.Store
	secrets []string
}

func (d discreet) censor(err error) error {
	if err == nil {
		return nil
	}
	return censored{err, d.secrets}
}

func (d discreet) Check(ctx context.Context) (worker.Class, error) {
	c, err := d.Store.Check(ctx)
	return c, d.censor(err)
}

func (d discreet) Init(ctx context.Context, n worker.Namespace, o worker.InitOptions) error {
	return d.censor(d.Store.Init(ctx, n, o))
}

func (d discreet) View(ctx context.Context, namespace string, first, last int64) (worker.View, error) {
	v, err := d.Store.View(ctx, namespace, first, last)
	return v, d.censor(err)
}

func (d discreet) Write(ctx context.Context, w protocol.Write) (bool, error) {
	applied, err := d.Store.Write(ctx, w)
	return applied, d.censor(err)
}

func (d discreet) Raise(ctx context.Context, r protocol.Raise) (bool, error) {
	applied, err := d.Store.Raise(ctx, r)
	return applied, d.censor(err)
}

func (d discreet) Quarantine(ctx context.Context, namespace string, floor int64) error {
	return d.censor(d.Store.Quarantine(ctx, namespace, floor))
}

// discreetRegistrar is a Registrar whose errors are censored.
type discreetRegistrar struct {
	worker.Registrar
	secrets []string
}

func (d discreetRegistrar) Register(ctx context.Context, n worker.Node, need worker.Need) (int64, error) {
	id, err := d.Registrar.Register(ctx, n, need)
	return id, discreet{secrets: d.secrets}.censor(err)
}
