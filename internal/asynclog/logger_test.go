package asynclog

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/ringuid/ringuid/internal/leaks"
)

func TestMain(m *testing.M) { os.Exit(leaks.Run(m)) }

// foreign is a handler that calls hook for each line.
type foreign struct {
	slog.Handler
	hook func(message string)
}

func (f foreign) Handle(ctx context.Context, r slog.Record) error {
	f.hook(r.Message)
	return f.Handler.Handle(ctx, r)
}

// text is a logger of this package whose handler writes messages and attributes.
func text(hook func(message string)) (*slog.Logger, *bytes.Buffer) {
	var b bytes.Buffer
	h := slog.NewTextHandler(&b,
		&slog.HandlerOptions{ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
			if a.Key == slog.TimeKey || a.Key == slog.LevelKey {
				return slog.Attr{}
			}
			return a
		}})
	return Logger(slog.New(foreign{h, hook})), &b
}

func nothing(string) {}

func flush(t *testing.T, log *slog.Logger) { log.Handler().(handler).queue.flush(t.Context()) }

func TestLinesAreToldInOrderWithWhatWasAdded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		// Without the hook: it would be gone behind With, as any embedding handler is.
		var b bytes.Buffer
		log := Logger(slog.New(slog.NewTextHandler(&b, &slog.HandlerOptions{Level: slog.LevelWarn})))
		log = log.With("worker", 7).WithGroup("g")
		log.Info("not enabled")
		for i := range 3 {
			log.Warn("line", "n", i)
		}
		synctest.Wait()
		lines := strings.Split(strings.TrimSpace(b.String()), "\n")
		assert.Len(t, lines, 3)
		for i, l := range lines {
			assert.Contains(t, l, fmt.Sprintf("msg=line worker=7 g.n=%d", i))
		}
	})
}

func TestALoggerThatDoesNotWaitIsReturnedAsItIs(t *testing.T) {
	l, _ := text(nothing)
	assert.Same(t, l, Logger(l))
}

func TestAHandlerThatBlocksDelaysNobody(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		free := make(chan struct{})
		log, b := text(func(string) { <-free })
		for i := range most + 11 {
			log.Info("line", "n", i)
			synctest.Wait() // the first is being told
		}
		start := time.Now()
		Flush(log)
		assert.Equal(t, closing, time.Since(start), "a Close waits for it no longer than that")
		close(free)
		synctest.Wait()
		log.Info("last")
		flush(t, log)
		assert.Equal(t, most+2, strings.Count(b.String(), "\n"))
		assert.True(t, strings.HasSuffix(b.String(), "msg=last lines_dropped_before=10\n"), b.String())
	})
}

func TestAHandlerThatPanicsOrEndsTheGoroutineIsToldTheRest(t *testing.T) {
	for name, hook := range map[string]func(string){
		"panics": func(m string) {
			if m == "bad" {
				panic(errors.New("in the handler"))
			}
		},
		"ends the goroutine": func(m string) {
			if m == "bad" {
				runtime.Goexit()
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			log, b := text(hook)
			log.Info("bad")
			log.Info("good")
			log.Info("bad")
			flush(t, log)
			assert.Equal(t, "msg=good\n", b.String())
		})
	}
}

func TestAHandlerMaySayMoreItself(t *testing.T) {
	var log *slog.Logger
	var b *bytes.Buffer
	log, b = text(func(m string) {
		if m == "first" {
			log.Info("second")
		}
	})
	log.Info("first")
	flush(t, log)
	assert.Equal(t, "msg=first\nmsg=second\n", b.String())
}
