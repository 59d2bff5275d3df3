// Package subprocess runs other processes of this program, which tell it what they do.
//
// In the parent:
//
//	p, err := subprocess.Start(exec.Command(os.Args[0], "worker"), job)
//	err = p.Receive(&message)  // the process's next line
//	p.Signal()                 // whatever that means to it
//	p.End()                    // it is to come to an end
//	err = p.Wait()
//
// In the process:
//
//	c := subprocess.Attach(os.Stdin, os.Stdout)
//	err := c.Job(&job)
//	ctx, signals := c.Follow(ctx)
//	err = c.Tell(message)
//
// The first line that a process reads from stdin is its job, as JSON: passwords go there,
// where `ps` does not look. Each further line is a signal, and the end of stdin tells it
// to come to an end; so it does not outlive its parent, however that one ended. What it
// tells its parent is a line of JSON each on stdout.
package subprocess
