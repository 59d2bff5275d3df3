package cli

import (
	"io"
	"log/slog"
	"regexp"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ringuid/ringuid/cmd/internal/storeurl"
)

const another = "type another --store"

// fields are what a program sets, in the words of the packages' errors, and what is typed in
// their place: with this flag, and in a command that does not have it.
var fields = []struct {
	words         *regexp.Regexp
	flag          string
	with, without string
}{
	{regexp.MustCompile(`set Claim\.AllowOtherLayouts`), "allow-other-layouts",
		"type --allow-other-layouts", another},
	{regexp.MustCompile(`claim (more|fewer) worker ids \(Claim\.Count\)`), "workers",
		"type $1 --workers", another},
	{regexp.MustCompile(`claim (\d+) to (\d+) \(First \d+, Count \d+\)`), "workers",
		"type --workers $1-$2", another},
	{regexp.MustCompile(`fresh is for`), "fresh", "leave out --fresh, which is for", "fresh is for"},
	{regexp.MustCompile(`set Config\.Generation, or call AfterRestore in each copy`), "",
		"", "start all but one of the copies anew"},
	{regexp.MustCompile(`use worker\.Disposable or worker\.Leased, (which need not wait), or set ` +
		`Config\.AllowRepeats if.* restart|take worker\.Leased or Disposable`), "",
		"", "type a --store that is not static"},
	{regexp.MustCompile(`configure (one|them) in the client`), "", "",
		"type $1 in --store, or a password in a --password-file"},
	{regexp.MustCompile(` \((see Claim\.Timeout|sqlstore\.Open.*?)\)`), "", "", ""},
}

// parameter matches what --store says of a store's Options, in the other spelling.
var parameter, hump = regexp.MustCompile(`\b(Options\.\w+|MinReplicas)`),
	regexp.MustCompile(`([a-z])([A-Z])`)

// Typed returns an error or a log in the words of what the command's user types, without secrets.
func Typed(c *cobra.Command, text string) string {
	for _, f := range fields {
		typed := f.without
		if f.flag != "" && c.Flags().Lookup(f.flag) != nil {
			typed = f.with
		}
		text = f.words.ReplaceAllString(text, typed)
	}
	text = parameter.ReplaceAllStringFunc(text, func(name string) string {
		name = hump.ReplaceAllString(strings.TrimPrefix(name, "Options."), "${1}_$2")
		return strings.ToLower(name) + " in --store"
	})
	return storeurl.Redact(text)
}

// Logger returns a logger to stderr, in the words of [Typed].
func Logger(c *cobra.Command, least slog.Level) *slog.Logger {
	return slog.New(slog.NewTextHandler(lines{c}, &slog.HandlerOptions{Level: least}))
}

type lines struct{ *cobra.Command }

func (l lines) Write(p []byte) (int, error) {
	_, err := io.WriteString(l.ErrOrStderr(), Typed(l.Command, string(p)))
	return len(p), err
}
