// Package docs holds the documentation to what the code does. It has tests alone:
//
//   - Links lead somewhere.
package docs
