package browser

import (
	"context"
	"encoding/json"

	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// Eval runs a JavaScript expression and puts its value into the Go value that
// into points to, as JSON would; nil drops it. A promise is waited for.
func (p *Page) Eval(expression string, into any) {
	p.t.Helper()
	p.run(expression, chromedp.Evaluate(expression, into, await))
}

// Text is what a person reads in the first element that a CSS selector finds.
func (p *Page) Text(selector string) string {
	p.t.Helper()
	var text string
	p.Eval(element(selector)+".innerText", &text)
	return text
}

// run does something to the page. A failure names what.
func (p *Page) run(what string, actions ...chromedp.Action) {
	p.t.Helper()
	limited, cancel := context.WithTimeout(p.tab, patience)
	defer cancel()
	if err := chromedp.Run(limited, actions...); err != nil {
		p.t.Fatalf("%s: %s: %v", p.url, what, err)
	}
}

// element is the JavaScript expression of what a selector finds.
func element(selector string) string {
	quoted, _ := json.Marshal(selector) // a string always can be
	return "document.querySelector(" + string(quoted) + ")"
}

func await(e *runtime.EvaluateParams) *runtime.EvaluateParams { return e.WithAwaitPromise(true) }
