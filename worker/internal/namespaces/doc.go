// Package namespaces is what the stores have in common that make namespaces: how one of several
// Inits gets to make rows, and what a row means that was left by an earlier namespace, which
// may have counted other ticks. It is tested with the standard library and testify alone,
// since the go.sum of whoever imports a store lists what its packages are tested with.
package namespaces
