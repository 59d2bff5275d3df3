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

// Errorf returns an [Error].
func Errorf(format string, args ...any) error { return Error{fmt.Errorf(format, args...)} }

// Typed reports whether an error is about what was typed. The drivers of databases send the
// parameters that they do not know to the server.
func Typed(err error) bool {
	return errors.As(err, new(Error)) || strings.Contains(err.Error(), "Unknown system variable") ||
		strings.Contains(err.Error(), "unrecognized configuration parameter")
}

// A Location is a URL that is being read.
type Location struct {
	*url.URL
	User, Password string

	params url.Values // that nothing has read yet
	known  []string   // the names of parameters that were looked for
	err    error      // what is wrong with the first of them that is
}

// word matches the names of parameters. What does not match may be of a password that was not
// escaped.
var word = regexp.MustCompile(`^[A-Za-z][\w.]*$`)

// parse reports whether a text is a URL of the scheme's form.
func parse(raw, password string, opaque bool) (*Location, bool) {
	u, err := url.Parse(raw)
	if err != nil {
		return nil, false
	}
	l := &Location{URL: u, User: u.User.Username(), Password: password}
	if own, typed := u.User.Password(); typed {
		l.Password = own
	}
	l.params, err = url.ParseQuery(u.RawQuery)
	for name := range l.params {
		if !word.MatchString(name) {
			return nil, false
		}
	}
	return l, err == nil && u.Fragment == "" && !strings.Contains(u.Path, "@") &&
		(u.Host != "" || opaque || l.params.Has("host") || l.params.Has("socket")) &&
		(u.Host+u.Path == "") == opaque
}

// Name returns the URL without secrets.
func (l *Location) Name() string {
	clean, params := *l.URL, l.Query()
	if clean.User = nil; l.User != "" {
		clean.User = url.User(l.User)
	}
	maps.DeleteFunc(params, func(name string, _ []string) bool { return secret(name) })
	clean.RawQuery = params.Encode()
	return clean.String()
}

// Fail keeps what is wrong with a parameter.
func (l *Location) Fail(format string, args ...any) {
	if l.err == nil {
		l.err = Errorf("--store %s: "+format, append([]any{l.Scheme}, args...)...)
	}
}

// Take returns a parameter, empty if it is not there.
func (l *Location) Take(name string) string {
	values := l.params[name]
	if len(values) > 1 {
		l.Fail("%s is there twice", name)
	}
	delete(l.params, name)
	l.known = append(l.known, name)
	return strings.Join(values, "")
}

// Read returns what a parameter says, the zero value if it is not there. want says what to type.
func Read[T any](l *Location, name, want string, parse func(string) (T, error)) (v T) {
	var err error
	if text := l.Take(name); text != "" {
		if v, err = parse(text); err != nil {
			l.Fail("%s: type %s", name, want)
		}
	}
	return v
}

// Flag returns whether a parameter is true.
func (l *Location) Flag(name string) bool {
	return Read(l, name, "true or false", strconv.ParseBool)
}

// Rest returns the parameters that are for the client. MySQL's wants commas as they are.
func (l *Location) Rest() string { return strings.ReplaceAll(l.params.Encode(), "%2C", ",") }

// Err returns what is wrong with the parameters that were read.
func (l *Location) Err() error { return l.err }

// Known lists the parameters that were looked for.
func (l *Location) Known() string { return strings.Join(l.known, ", ") }

// End returns an error if a parameter is wrong, or is none.
func (l *Location) End() error {
	for name := range l.params {
		l.Fail("there is no parameter %q: there are %s", name, l.Known())
	}
	return l.err
}

// Hosts returns the servers, with port where none was typed, or the socket.
func (l *Location) Hosts(port string) (hosts []string) {
	if l.Host == "" {
		return []string{l.Take("socket")}
	}
	for _, typed := range strings.Split(l.Host, ",") {
		one, err := url.Parse("//" + typed)
		if err != nil || one.Hostname() == "" {
			l.Fail("%q in the list of servers: type each as HOST:PORT, with commas and no blanks between "+
				"them", typed)
			continue
		}
		hosts = append(hosts, net.JoinHostPort(one.Hostname(), cmp.Or(one.Port(), port)))
	}
	return hosts
}

// ReadAuthorities reads a file of certificates.
func ReadAuthorities(file string) (*x509.CertPool, error) {
	all := x509.NewCertPool()
	text, err := os.ReadFile(file)
	if err == nil && !all.AppendCertsFromPEM(text) {
		err = fmt.Errorf("no certificate is in %s", file)
	}
	return all, err
}

// TLS returns the settings of connections with TLS, nil for connections without it.
func (l *Location) TLS(on bool) *tls.Config {
	on = l.Flag("tls") || on
	ca, cert, key := l.Take("cacert"), l.Take("cert"), l.Take("key")
	c := &tls.Config{ServerName: l.Take("server_name"), InsecureSkipVerify: l.Flag("skip_verify")}
	if ca != "" {
		var err error
		if c.RootCAs, err = ReadAuthorities(ca); err != nil {
			l.Fail("cacert=%s: %w", ca, err)
		}
	}
	if cert != "" || key != "" {
		pair, err := tls.LoadX509KeyPair(cert, key)
		if err != nil {
			l.Fail("cert=%s, key=%s: %w", cert, key, err)
		}
		c.Certificates = []tls.Certificate{pair}
	}
	if !on && !c.InsecureSkipVerify && ca+cert+key+c.ServerName == "" {
		return nil
	}
	return c
}
