// Package docs holds the documentation to what the code does. It has tests alone:
//
//   - Each Chinese page is in step with its original: the same headings, code, tables,
//     numbers, code words and links.
//   - Links lead somewhere.
package docs
