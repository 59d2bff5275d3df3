package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"time"
)

// asProcess is the variable that makes this program a process that inserts; it holds a job.
const asProcess = "UID_KEYS_PROCESS"

// filler is what a row has besides its key and 8 bytes of time.
var filler = make([]byte, 92)

type job struct {
	Process int // from 0
	DSN     string
	Kind    int // its index
}

// insertAs is the main function of a process. It prints when it is ready. For each line with a
// number of rows and a rate it inserts them, and it ends when there are no more lines.
func insertAs(text string, in io.Reader, out io.Writer) error {
	var j job
	if err := json.Unmarshal([]byte(text), &j); err != nil {
		return err
	}
	ctx := context.Background()
	d := connect(ctx, j.DSN)
	if d.err != nil {
		return d.err
	}
	defer d.Close()
	key, generator, err := kinds()[j.Kind].open(ctx, d, j.Process)
	if err != nil {
		return err
	}
	defer generator.Close()
	conn, err := d.Conn(ctx)
	if err != nil {
		return err
	}
	defer conn.Close()
	row := func() error {
		if key == nil {
			_, err := conn.ExecContext(ctx, d.sql["insert a row that gets its key"], filler)
			return err
		}
		k, err := key()
		if err == nil {
			_, err = conn.ExecContext(ctx, d.sql["insert"], k, filler)
		}
		return err
	}
	for {
		fmt.Fprintln(out, "ready")
		var rows int
		var rate float64
		if _, err := fmt.Fscanln(in, &rows, &rate); err != nil {
			return nil // the last line was read
		}
		if err := insert(rows, rate, row); err != nil {
			return err
		}
	}
}

// insert inserts rows as they arrive: at random moments, independent of each other. A row that
// is late does not postpone those that follow. A rate of 0 means as fast as it can.
func insert(rows int, rate float64, row func() error) error {
	due := time.Now()
	for range rows {
		if rate > 0 {
			due = due.Add(time.Duration(rand.ExpFloat64() / rate * float64(time.Second)))
			time.Sleep(time.Until(due))
		}
		if err := row(); err != nil {
			return err
		}
	}
	return nil
}

// processes are copies of this program that insert.
type processes []process

type process struct {
	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Reader
}

// spawn starts the processes, and waits until all are ready.
func spawn(o options, kind int, dsn string) (all processes, err error) {
	program, err := os.Executable()
	if err != nil {
		return nil, err
	}
	for i := range o.Processes {
		text, err := json.Marshal(job{i, dsn, kind})
		if err != nil {
			return all, err
		}
		cmd := exec.Command(program)
		cmd.Env, cmd.Stderr = append(os.Environ(), asProcess+"="+string(text)), os.Stderr
		in, noIn := cmd.StdinPipe()
		out, noOut := cmd.StdoutPipe()
		if err := errors.Join(noIn, noOut); err != nil {
			return all, err
		}
		if err := cmd.Start(); err != nil {
			return all, err
		}
		all = append(all, process{cmd, in, bufio.NewReader(out)})
	}
	return all, all.await()
}

func (all processes) insert(rows int, rate float64) error {
	n := len(all)
	for i, p := range all {
		if _, err := fmt.Fprintln(p.in, (rows+i)/n, rate/float64(n)); err != nil {
			return err
		}
	}
	return all.await()
}

// await waits until all processes have said that they are ready.
func (all processes) await() error {
	for i, p := range all {
		if _, err := p.out.ReadString('\n'); err != nil {
			return fmt.Errorf("process %d has ended, and said why: %w", i, err)
		}
	}
	return nil
}

// end ends the processes, and waits until they have released their worker ids.
func (all processes) end() error {
	var errs []error
	for _, p := range all {
		errs = append(errs, p.in.Close(), p.cmd.Wait())
	}
	return errors.Join(errs...)
}
