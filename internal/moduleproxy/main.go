// Release writes this repository's modules, as they are in the working tree, into a folder
// that serves them as if they were published, at the version that they require of each
// other. It prints the settings with which a go command takes them from there:
//
//	go run ./internal/moduleproxy FOLDER
package main

import (
	"fmt"
	"os"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: go run ./internal/moduleproxy FOLDER")
		os.Exit(2)
	}
	settings, err := serve(".", os.Args[1])
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	for _, s := range settings {
		fmt.Println(s)
	}
}
