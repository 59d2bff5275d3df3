package storeurl

import (
	"cmp"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"maps"
	"net"
	"net/url"
	"os"
	"regexp"
	"strconv"
	"strings"
)

// An Error is about what was typed.
type Error struct{ error }

// Unwrap returns the error that says what to type.
func (e Error) Unwrap() error { return e.error }

func errorf(format string, args ...any) error { return Error{fmt.Errorf(format, args...)} }

// Typed reports whether an error is about what was typed. The drivers of databases send the
// parameters that they do not know to the server.
func Typed(err error) bool {
	return errors.As(err, new(Error)) || strings.Contains(err.Error(), "Unknown system variable") ||
		strings.Contains(err.Error(), "unrecognized configuration parameter")
}

// A location is a URL that is being read.
type location struct {
	*url.URL
	user, password string
	params         url.Values // that nothing has read yet
	known          []string   // the names of parameters that were looked for
	err            error      // what is wrong with the first of them that is
}

// word matches the names of parameters. What does not match may be of a password that was not
// escaped.
var word = regexp.MustCompile(`^[A-Za-z][\w.]*$`)

// parse reports whether a text is a URL of the scheme's form.
func parse(raw, password string) (*location, bool) {
	u, err := url.Parse(raw)
	if err != nil {
		return nil, false
	}
	l := &location{URL: u, user: u.User.Username(), password: password}
	if own, typed := u.User.Password(); typed {
		l.password = own
	}
	l.params, err = url.ParseQuery(u.RawQuery)
	for name := range l.params {
		if !word.MatchString(name) {
			return nil, false
		}
	}
	return l, err == nil && u.Fragment == "" && !strings.Contains(u.Path, "@") &&
		(u.Host != "" || u.Scheme == "k8s" || l.params.Has("host") || l.params.Has("socket")) &&
		(u.Host+u.Path == "") == (u.Scheme == "k8s")
}

// name returns the URL without secrets.
func (l *location) name() string {
	clean, params := *l.URL, l.Query()
	if clean.User = nil; l.user != "" {
		clean.User = url.User(l.user)
	}
	maps.DeleteFunc(params, func(name string, _ []string) bool { return secret(name) })
	clean.RawQuery = params.Encode()
	return clean.String()
}

// fail keeps what is wrong with a parameter.
func (l *location) fail(format string, args ...any) {
	if l.err == nil {
		l.err = errorf("--store %s: "+format, append([]any{l.Scheme}, args...)...)
	}
}

// take returns a parameter, empty if it is not there.
func (l *location) take(name string) string {
	values := l.params[name]
	if len(values) > 1 {
		l.fail("%s is there twice", name)
	}
	delete(l.params, name)
	l.known = append(l.known, name)
	return strings.Join(values, "")
}

func read[T any](l *location, name, want string, parse func(string) (T, error)) (v T) {
	var err error
	if text := l.take(name); text != "" {
		if v, err = parse(text); err != nil {
			l.fail("%s: type %s", name, want)
		}
	}
	return v
}

func (l *location) flag(name string) bool {
	return read(l, name, "true or false", strconv.ParseBool)
}

// rest returns the parameters that are for the client. MySQL's wants commas as they are.
func (l *location) rest() string { return strings.ReplaceAll(l.params.Encode(), "%2C", ",") }

// end returns an error if a parameter is wrong, or is none.
func (l *location) end() error {
	for name := range l.params {
		l.fail("there is no parameter %q: there are %s", name, strings.Join(l.known, ", "))
	}
	return l.err
}

// hosts returns the servers, with port where none was typed, or the socket.
func (l *location) hosts(port string) (hosts []string) {
	if l.Host == "" {
		return []string{l.take("socket")}
	}
	for _, typed := range strings.Split(l.Host, ",") {
		one, err := url.Parse("//" + typed)
		if err != nil || one.Hostname() == "" {
			l.fail("%q in the list of servers: type each as HOST:PORT, with commas and no blanks between "+
				"them", typed)
			continue
		}
		hosts = append(hosts, net.JoinHostPort(one.Hostname(), cmp.Or(one.Port(), port)))
	}
	return hosts
}

// tls returns the settings of connections with TLS, nil for connections without it.
func (l *location) tls(on bool) *tls.Config {
	on = l.flag("tls") || on
	ca, cert, key := l.take("cacert"), l.take("cert"), l.take("key")
	c := &tls.Config{ServerName: l.take("server_name"), InsecureSkipVerify: l.flag("skip_verify")}
	if ca != "" {
		text, err := os.ReadFile(ca)
		if c.RootCAs = x509.NewCertPool(); err == nil && !c.RootCAs.AppendCertsFromPEM(text) {
			err = errors.New("no certificate is in it")
		}
		if err != nil {
			l.fail("cacert=%s: %w", ca, err)
		}
	}
	if cert != "" || key != "" {
		pair, err := tls.LoadX509KeyPair(cert, key)
		if err != nil {
			l.fail("cert=%s, key=%s: %w", cert, key, err)
		}
		c.Certificates = []tls.Certificate{pair}
	}
	if !on && !c.InsecureSkipVerify && ca+cert+key+c.ServerName == "" {
		return nil
	}
	return c
}
