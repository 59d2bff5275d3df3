package storeurl

import (
	"errors"
	"net/url"
	"os"
	"strings"

	"github.com/spf13/pflag"
)

// The variables of the environment that say what flags do not.
const (
	urlVariable      = "RINGUID_STORE"
	passwordVariable = "RINGUID_STORE_PASSWORD"
)

// Flags say which store is meant.
type Flags struct {
	URL      string
	Password string // for a URL that has none; known after Open
	file     string // with the password
}

// Bind binds the flags. The usage of --store ends with what happens without it.
func (f *Flags) Bind(flags *pflag.FlagSet, without string) {
	flags.StringVar(&f.URL, "store", "", "`URL` that worker ids come from: "+Forms()+" ("+without+")")
	flags.StringVar(&f.file, "password-file", "",
		"`FILE` with the password for --store (default: the variable "+passwordVariable+")")
}

// Demand takes the URL from the environment if none was typed. There must be one.
func (f *Flags) Demand() error {
	if f.URL == "" {
		f.URL = os.Getenv(urlVariable)
	}
	if f.URL == "" {
		return Errorf("which store? type --store URL, or set the variable %s: %s", urlVariable, Forms())
	}
	return nil
}

func (f *Flags) Open() (*Store, error) {
	if f.Password == "" {
		f.Password = os.Getenv(passwordVariable)
	}
	if f.file != "" {
		password, err := ReadPassword(f.file)
		u, bad := url.Parse(f.URL)
		if err == nil && bad == nil && strings.Contains(u.User.String(), ":") {
			err = errors.New("the URL has a password, too")
		}
		if err != nil {
			return nil, Errorf("--password-file %s: %w", f.file, err)
		}
		f.Password = password
	}
	return Open(f.URL, f.Password)
}

func ReadPassword(file string) (string, error) {
	text, err := os.ReadFile(file)
	password := strings.TrimRight(string(text), "\r\n")
	if err == nil && password == "" {
		err = errors.New("it is empty")
	}
	return password, err
}
