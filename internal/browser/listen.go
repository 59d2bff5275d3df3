package browser

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
)

// listen notes what the browser reports. Reports and answers come in one stream,
// so whatever a page did before an answer has been noted by then.
func (p *Page) listen(event any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch e := event.(type) {
	case *network.EventRequestWillBeSent:
		p.asked(e.Request.URL)
	case *network.EventWebSocketCreated:
		p.asked(e.URL)
	case *log.EventEntryAdded:
		if e.Entry.Level == log.LevelError && !isIcon(e.Entry.URL) {
			p.errors = append(p.errors, strings.TrimSpace(e.Entry.Text+" "+e.Entry.URL))
		}
	case *runtime.EventExceptionThrown:
		p.errors = append(p.errors, e.ExceptionDetails.Error())
	case *runtime.EventConsoleAPICalled:
		if e.Type == runtime.APITypeError || e.Type == runtime.APITypeAssert {
			p.errors = append(p.errors, said(e.Args))
		}
	}
}

// asked notes a request. The first one is for the page itself.
func (p *Page) asked(url string) {
	switch {
	case !p.begun:
		p.begun = true
	case !strings.HasPrefix(url, "data:") && !isIcon(url):
		p.requests = append(p.requests, url)
	}
}

// isIcon tells the icon that a browser looks for where a page names none. It does
// so at some time after the page has loaded.
func isIcon(url string) bool { return strings.HasSuffix(url, "/favicon.ico") }

// garble notes what chromedp could not make sense of.
func (p *Page) garble(format string, args ...any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.garbled = append(p.garbled, fmt.Sprintf(format, args...))
}

// said is what a call of console.error was given, as text.
func said(args []*runtime.RemoteObject) string {
	var words []string
	for _, a := range args {
		var text string
		switch {
		case json.Unmarshal(a.Value, &text) == nil: // a string, without its quotes
		case len(a.Value) > 0:
			text = string(a.Value)
		default:
			text = a.Description
		}
		words = append(words, text)
	}
	return strings.Join(words, " ")
}
