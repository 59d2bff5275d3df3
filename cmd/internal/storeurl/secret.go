package storeurl

import (
	"cmp"
	"html"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// secrets are the passwords that were typed or read, in whatever form they may appear in an
// error, a log or a report. Drivers should not show them, but this does not rely on it.
var secrets struct {
	sync.Mutex
	forms []string
}

// Hide has Redact hide the passwords in these arguments of a command. A text that is not a URL
// has none, and its errors do not repeat it.
func Hide(typed ...string) {
	for _, text := range typed {
		u, err := url.Parse(strings.TrimPrefix(text, "--store="))
		if err != nil {
			continue
		}
		password, _ := u.User.Password()
		_, escaped, _ := strings.Cut(u.User.String(), ":")
		hide(password, escaped)
		for key, values := range u.Query() {
			if secret(key) {
				hide(values...)
			}
		}
	}
}

// secret reports whether a parameter of this name is one.
func secret(name string) bool { return strings.Contains(strings.ToLower(name), "pass") }

func hide(words ...string) {
	secrets.Lock()
	defer secrets.Unlock()
	for _, w := range words {
		for _, form := range []string{w, url.QueryEscape(w), url.PathEscape(w), html.EscapeString(w),
			strings.Trim(strconv.Quote(w), `"`)} {
			if form != "" && !slices.Contains(secrets.forms, form) {
				secrets.forms = append(secrets.forms, form)
			}
		}
	}
	// One may begin with another.
	slices.SortFunc(secrets.forms, func(a, b string) int { return cmp.Compare(len(b), len(a)) })
}

var short = regexp.MustCompile(`^\w{1,2}$`)

// Redact returns a text without secrets: a short one is a word there, its letters are everywhere.
func Redact(text string) string {
	secrets.Lock()
	defer secrets.Unlock()
	for _, form := range secrets.forms {
		if short.MatchString(form) {
			text = regexp.MustCompile(`\b`+form+`\b`).ReplaceAllString(text, "***")
		} else {
			text = strings.ReplaceAll(text, form, "***")
		}
	}
	return text
}
