package main

import (
	"context"
	"net/url"
	"strings"

	"github.com/ringuid/ringuid/worker"
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

// discreet is an Assigner whose errors are censored.
type discreet struct {
	worker.Assigner
	secrets []string
}

func (d discreet) Assign(ctx context.Context, n worker.Need) (worker.Lease, error) {
	l, err := d.Assigner.Assign(ctx, n)
	if err != nil {
		return nil, censored{err, d.secrets}
	}
	return l, nil
}
