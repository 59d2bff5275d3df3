package uid

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"sync"
	"sync/atomic"

	"github.com/ringuid/ringuid/internal/generation"
)

// MapGeneration maps a file for Config.Generation, on Linux: either eight bytes, which are changed
// before a restored copy of the machine or process runs, or a page as VMClock's device has it. A
// page without vm_generation_counter will do with worker.Leased alone:
// what is then mapped is disruption_marker, which changes at live migrations, too. Write the file
// in place (dd conv=notrunc): if it becomes shorter, the process ends (SIGBUS), and another file of
// its name (mv) is never seen. Errors wrap ErrConfig.
func MapGeneration(path string) (*atomic.Uint64, error) {
	word, _, err := generation.Map(path)
	if err != nil {
		return nil, fmt.Errorf("%w: no generation: %w", ErrConfig, err)
	}
	return word, nil
}

// vmClock is the device by which a hypervisor says that it has copied the machine.
const vmClock = "/dev/vmclock0"

// device maps vmClock's word, once in a process.
var device = sync.OnceValues(func() (*atomic.Uint64, error) { return counter(vmClock) })

// counter maps a word that changes with copies alone.
func counter(path string) (*atomic.Uint64, error) {
	word, copies, err := generation.Map(path)
	if err == nil && !copies {
		err = fmt.Errorf("%s has no vm_generation_counter", path)
	}
	return word, err
}

// copies is how a generator notices that its machine was copied, and that two processes now have
// what it holds: whoever copies the machine changes the generation before the copy runs. A take
// reads the number that was dealt with before it takes, and the generation last:
//
//	take:   d = dealt; take; if generation = d return, else throw away what was taken, deal, again
//	deal:   g = generation; give up all that was made and granted; dealt = g
//
// So what a copy returns was taken after it had dealt with its own generation:
//
//	generation = d at the end  =>  the machine was not copied since dealt became d
//	dealt becomes d            =>  all that was made before was given up
//
// because nobody gives a copy a generation that its machine has had. What was taken before the
// copy was made, and not returned by then, is thrown away by both, or by the copy alone where the
// original runs on. TestEveryCopy explores all orders of these steps.
type copies struct {
	generation *atomic.Uint64
	dealt      atomic.Uint64
	by         string // what the generation is; or none, and why
	forks      bool   // it is generation.OfProcess: no machine was copied, the process was forked

	dealing sync.Mutex
	noticed atomic.Int64
}

// find finds the generation: the setting or the device's, or else one that a fork changes.
func (k *copies) find(c settings) {
	word, by, level := c.Generation, "Config.Generation", slog.LevelInfo
	if word == nil {
		var err error
		switch word, err = c.device(); {
		case err == nil:
			by = vmClock
		case errors.Is(err, fs.ErrNotExist): // as on most machines
			level = slog.LevelDebug
			fallthrough
		default:
			word, by, k.forks = c.ofProcess(), fmt.Sprintf("none: %v", err), true
		}
	}
	k.generation, k.by = word, by
	k.dealt.Store(word.Load())
	c.Logger.Log(context.Background(), level, "what shows that this machine was copied",
		"generation", by)
}

// copied reports whether the machine was copied, and that was not dealt with.
func (k *copies) copied() bool { return k.generation.Load() != k.dealt.Load() }

// forked reports whether this is a child of the process that the generator was opened in.
func (k *core) forked() bool {
	return k.forks && k.copied() || k.held.Load().abandoned == errForked
}

// deal gives up what the machine's copies have, too, or the process that forked this one, once for
// each generation. It returns dealt.
func (k *core) deal() (now uint64) {
	k.dealing.Lock()
	defer k.dealing.Unlock()
	now = k.generation.Load()
	switch {
	case now == k.dealt.Load():
		return now
	case k.forks: // nothing else runs here that could ask for a worker id
		k.m.change(true, func() { k.abandon(errForked) })
	default:
		k.AfterRestore()
		k.noticed.Add(1)
		k.conf.Logger.Warn("this machine was copied: what was granted and not handed out is given up",
			"generation", now)
	}
	k.dealt.Store(now)
	return now
}
