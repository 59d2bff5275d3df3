package testserver

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// Java takes most of the time in which ZooKeeper starts to load, check and link classes.
// It can keep them in a file as they are then and map that into the next process: class
// data sharing, https://openjdk.org/jeps/350. So the first test has a server do that,
// which does nothing else, and the file stays for all that follow. Java looks whether the
// file fits it and its jars, and does without where it does not.

// sharedClasses are the arguments for using a file of classes.
func sharedClasses(kept string) []string {
	if is, err := os.Stat(kept); err != nil || is.Size() == 0 {
		return nil
	}
	return []string{"-XX:SharedArchiveFile=" + kept}
}

// keptClasses names the file to use, or nothing where there is no cache folder.
func (s *Server) keptClasses() string {
	path, _ := findZooKeeperJar()
	jar, err := os.Stat(path)
	if err != nil {
		return ""
	}
	return s.keptCopy(fmt.Sprint("classes ", javaFlags, zooKeeperClasses(), jar.Size(), jar.ModTime()))
}

// keepClasses makes the file, if there is none yet. A Java that cannot do it leaves an
// empty one, so that nobody tries again. Should it fail, nothing is lost but time.
func (s *Server) keepClasses() {
	kept := s.keptClasses()
	if _, err := os.Stat(kept); kept == "" || err == nil || os.MkdirAll(filepath.Dir(kept), 0o700) != nil {
		return
	}
	half, err := os.CreateTemp(filepath.Dir(kept), "half")
	if err != nil {
		return
	}
	half.Close()
	defer os.Remove(half.Name())
	k := s.kind
	k.prepare = (*Server).writeZooCfg
	k.command = func(s *Server) *exec.Cmd {
		cmd := commandZooKeeper(s)
		flags := []string{"-XX:+IgnoreUnrecognizedVMOptions", "-XX:ArchiveClassesAtExit=" + half.Name()}
		cmd.Args = append(cmd.Args[:1:1], append(flags, cmd.Args[1:]...)...)
		return cmd
	}
	server := newServer(s.t, k, s.bin, nil)
	if server.kind.prepare(server) != nil || server.up() != nil {
		return
	}
	server.Stop()
	_ = os.Rename(half.Name(), kept) // somebody else was first
}
