package main

import (
	"html"
	"io"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// redacted returns a URL without its password, and without its options, which may hold one too.
func redacted(u *url.URL) string {
	clean := url.URL{Scheme: u.Scheme, Host: u.Host, Path: u.Path}
	if name := u.User.Username(); name != "" {
		clean.User = url.User(name)
	}
	return clean.String()
}

// secretsOf returns a replacer for the passwords in URLs that were typed, in whatever form they
// may appear in an error, a log or a report. Drivers should not show them, but this does not
// rely on it. A text that is not a URL has none, and its errors do not repeat it.
func secretsOf(typed ...string) *strings.Replacer {
	var words []string
	for _, text := range typed {
		u, err := url.Parse(strings.TrimPrefix(text, "--store="))
		if err != nil {
			continue
		}
		password, _ := u.User.Password()
		_, escaped, _ := strings.Cut(u.User.String(), ":")
		words = append(words, password, escaped)
		for key, values := range u.Query() {
			if strings.Contains(strings.ToLower(key), "pass") {
				words = append(words, values...)
			}
		}
	}
	var pairs []string
	for _, w := range words {
		for _, form := range []string{w, url.QueryEscape(w), url.PathEscape(w), html.EscapeString(w),
			strings.Trim(strconv.Quote(w), `"`)} {
			if form != "" && !slices.Contains(pairs, form) {
				pairs = append(pairs, form, "***")
			}
		}
	}
	return strings.NewReplacer(pairs...)
}

// redacting writes everything but secrets.
type redacting struct {
	to      io.Writer
	secrets *strings.Replacer
}

func (r redacting) Write(p []byte) (int, error) {
	_, err := r.secrets.WriteString(r.to, string(p))
	return len(p), err
}
