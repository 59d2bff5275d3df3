package main

import (
	"cmp"
	"net"
	"net/url"
	"strings"
)

// hostsOf are the servers of a URL that lists them, as in
// etcd://HOST:PORT,HOST:PORT/PREFIX, with port where none was typed.
func hostsOf(u *url.URL, port string) (hosts []string, err error) {
	for _, typed := range strings.Split(u.Host, ",") {
		one, err := url.Parse("//" + typed)
		if err != nil || one.Hostname() == "" {
			return nil, usagef("--store %s: %q in the list of servers: type each as HOST:PORT, with "+
				"commas and no blanks between them", u.Scheme, typed)
		}
		hosts = append(hosts, net.JoinHostPort(one.Hostname(), cmp.Or(one.Port(), port)))
	}
	return hosts, nil
}
