// Fileproxy writes this repository's modules, as they are in the working tree, into a
// folder that serves as GOPROXY:
//
//	go run ./internal/release FOLDER VERSION
package main

import (
	"fmt"
	"os"

	"github.com/ringuid/ringuid/internal/release/proxy"
)

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: go run ./internal/release FOLDER VERSION")
		os.Exit(2)
	}
	paths, err := proxy.Write(os.Args[1], ".", os.Args[2])
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	for _, path := range paths {
		fmt.Println(path, os.Args[2])
	}
}
